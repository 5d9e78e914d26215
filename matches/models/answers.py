"""What the API answered to a request that came with a key, so that the same request again is answered alike."""

from __future__ import annotations

from django.db import models

from matches.models.people import User


class KeptAnswer(models.Model):
    """One key of one user: the request it came with, and the answer. Kept for days, then forgotten."""

    user = models.ForeignKey(User, on_delete=models.CASCADE)
    key = models.CharField(max_length=100)
    request_sha256 = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    body = models.JSONField(null=True)
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(name="answer_key_once", fields=["user", "key"])]

    def __str__(self) -> str:
        return f"{self.user} {self.key}"
