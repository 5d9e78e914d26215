from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0005_former_matches")]

    operations = [
        migrations.AddField(
            model_name="stage",
            name="ended_with",
            field=models.PositiveSmallIntegerField(
                editable=False,
                help_text="the organiser ended it early, when it had had so many rounds",
                null=True,
            ),
        ),
    ]
