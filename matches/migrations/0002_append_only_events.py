"""The log of events refuses to be changed, whoever asks."""

from django.db import migrations

REFUSE = """
CREATE FUNCTION matches_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
CREATE TRIGGER matches_partyevent_append_only BEFORE UPDATE OR DELETE ON matches_partyevent
    FOR EACH ROW EXECUTE FUNCTION matches_refuse_change();
"""
ALLOW = """
DROP TRIGGER matches_partyevent_append_only ON matches_partyevent;
DROP FUNCTION matches_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("matches", "0001_initial")]

    operations = [migrations.RunSQL(REFUSE, ALLOW)]
