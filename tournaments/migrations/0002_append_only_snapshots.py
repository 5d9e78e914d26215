"""Published standings stay as they were published."""

from django.db import migrations

REFUSE = """
CREATE TRIGGER tournaments_standingssnapshot_append_only BEFORE UPDATE OR DELETE ON tournaments_standingssnapshot
    FOR EACH ROW EXECUTE FUNCTION matches_refuse_change();
"""
ALLOW = "DROP TRIGGER tournaments_standingssnapshot_append_only ON tournaments_standingssnapshot;"


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0001_initial"), ("matches", "0002_append_only_events")]

    operations = [migrations.RunSQL(REFUSE, ALLOW)]
