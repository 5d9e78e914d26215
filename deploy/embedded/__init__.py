"""PostgreSQL and Valkey from wheels, for a machine that has neither: the demo, development and the tests.

`services` starts what `DATABASE_URL` and `BROKER_URL` do not name; `Supervisor` keeps programs beside them.
Whatever starts here dies with the process that started it, a kill -9 of it included.
"""

from deploy.embedded.errors import EmbeddedError
from deploy.embedded.lineage import die_with_parent, die_with_parent_if_supervised
from deploy.embedded.paths import check_var_dir, var_dir
from deploy.embedded.postgres import EmbeddedPostgres
from deploy.embedded.services import services
from deploy.embedded.supervisor import Program, Supervisor, stoppable
from deploy.embedded.valkey import EmbeddedValkey

__all__ = [
    "EmbeddedError",
    "EmbeddedPostgres",
    "EmbeddedValkey",
    "Program",
    "Supervisor",
    "check_var_dir",
    "die_with_parent",
    "die_with_parent_if_supervised",
    "services",
    "stoppable",
    "var_dir",
]
