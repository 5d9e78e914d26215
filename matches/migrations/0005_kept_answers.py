import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("matches", "0004_reported_matches")]

    operations = [
        migrations.CreateModel(
            name="KeptAnswer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=100)),
                ("request_sha256", models.CharField(max_length=64)),
                ("status", models.PositiveSmallIntegerField(default=0)),
                ("body", models.JSONField(null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True, db_index=True)),
                (
                    "user",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("user", "key"), name="answer_key_once")],
            },
        ),
    ]
