"""The stages that there were, with their entries; what is logged of a tournament is not rewritten."""

from django.db import migrations

REFUSE = """
CREATE TRIGGER tournaments_tournamentevent_unchanged BEFORE UPDATE ON tournaments_tournamentevent
    FOR EACH ROW EXECUTE FUNCTION matches_refuse_change();
"""
ALLOW = "DROP TRIGGER tournaments_tournamentevent_unchanged ON tournaments_tournamentevent;"
OVER = ("finished", "published", "cancelled")


def fill_stages(apps, schema_editor):
    stages = apps.get_model("tournaments", "Stage").objects
    stage_entries = apps.get_model("tournaments", "StageEntry").objects
    for stage in stages.select_related("tournament"):
        tournament = stage.tournament
        stage.status = "finished" if tournament.status in OVER else "running"
        stage.started_at, stage.finished_at = tournament.started_at, tournament.finished_at
        stage.save(update_fields=["status", "started_at", "finished_at"])
        for entry in tournament.entries.order_by("number"):
            stage_entries.create(stage=stage, entry=entry, number=entry.number)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0003_every_way_to_play")]

    operations = [
        migrations.RunPython(fill_stages, migrations.RunPython.noop),
        migrations.RunSQL(REFUSE, ALLOW),
    ]
