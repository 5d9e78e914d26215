import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0003_house_thinks"),
        ("tournaments", "0004_stages_that_are_there"),
    ]

    operations = [
        migrations.AddField(
            model_name="entry",
            name="hands",
            field=models.PositiveSmallIntegerField(
                editable=False,
                help_text="so many members were entered to play; those behind them stand by",
                null=True,
            ),
        ),
        migrations.CreateModel(
            name="FormerMatch",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("reason", models.CharField(blank=True, max_length=200, verbose_name="reason")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "match",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="former_pairing",
                        to="matches.match",
                    ),
                ),
                (
                    "pairing",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="former",
                        to="tournaments.pairing",
                    ),
                ),
            ],
            options={
                "verbose_name": "former match",
                "verbose_name_plural": "former matches",
                "ordering": ["pairing", "id"],
            },
        ),
    ]
