"""Django's settings: one file, everything that differs between installations comes from the environment.

`docs/operators.md` lists the variables. Nothing here starts a server: `deploy.embedded` does, and sets the same
variables for its children.
"""

from __future__ import annotations

from csp.constants import NONE, SELF

from deploy import environment as env

BASE_DIR = env.ROOT
VAR_DIR = env.var_folder()
EMBEDDED = env.embedded()
DEBUG = env.debug()
SECRET_KEY = env.secret_key()
FIELD_KEYS = env.field_keys()
ALLOWED_HOSTS = env.allowed_hosts()
CSRF_TRUSTED_ORIGINS = env.words(env.text("CSRF_TRUSTED_ORIGINS"))

INSTALLED_APPS = [
    "deploy",  # first: its templates stand before the admin's own
    "deploy.apps.ManelaAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.humanize",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "csp",
    "django_htmx",
    "django_filters",
    "rest_framework",
    "drf_standardized_errors",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "matches",
    "bots_api",
    "tournaments",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.http.ConditionalGetMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "matches.api.limits.tell_what_is_left",
]

ROOT_URLCONF = "deploy.urls"
WSGI_APPLICATION = "deploy.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "deploy.signing_up.invitation",
            ],
        },
    },
]

DATABASES = {"default": env.database()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_USER_MODEL = "matches.User"
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.ScryptPasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "login"
# Whether anybody may make an account; otherwise the operator makes them on the desk.
SIGN_UP = env.switch("SIGN_UP", True)
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"

# What pages, mails and messages to programs begin their addresses with.
PUBLIC_URL = env.public_url()

LANGUAGE_CODE = "en"
# A language belongs here once its catalogue is there: without one, Django's own words alone would be translated.
LANGUAGES = [("en", "English")]
TIME_ZONE = env.text("TIME_ZONE", "Europe/Kyiv")
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = env.folder("static")
# The examples for authors of programs, fetched by a command that the page of a new version shows, and the client.
STATICFILES_DIRS = [("starters", BASE_DIR / "docs" / "examples"), ("client", BASE_DIR / "docs" / "client")]
WHITENOISE_USE_FINDERS = EMBEDDED
WHITENOISE_AUTOREFRESH = False

SECURE = env.switch("SECURE", not EMBEDDED)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE
SECURE_SSL_REDIRECT = SECURE
# Whoever watches over the processes asks them directly, without the proxy and its certificate.
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
SECURE_HSTS_SECONDS = 31_536_000 if SECURE else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE
# A browser's own list is left in months, if ever: the owner of the whole domain decides to stand in it.
SECURE_HSTS_PRELOAD = SECURE and env.switch("HSTS_PRELOAD", False)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if SECURE else None
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}

REST_FRAMEWORK = {
    # What the API shows is public; to write takes a token. A cookie is not enough, so that no page can write by it.
    "DEFAULT_AUTHENTICATION_CLASSES": ["bots_api.tokens.TokenAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.AllowAny"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["matches.api.bodies.JsonBody"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "matches.api.bodies.AnyAccept",
    "DEFAULT_SCHEMA_CLASS": "matches.api.schema.ApiSchema",
    "DEFAULT_PAGINATION_CLASS": "matches.api.pagination.NewestFirst",
    "DEFAULT_THROTTLE_CLASSES": ["matches.api.limits.Everything"],
    "EXCEPTION_HANDLER": "matches.api.problems.problem_response",
    "DEFAULT_VERSIONING_CLASS": None,
}
DRF_STANDARDIZED_ERRORS = {"EXCEPTION_FORMATTER_CLASS": "matches.api.problems.ProblemFormatter"}
SPECTACULAR_SETTINGS = {
    "TITLE": "Manela",
    "DESCRIPTION": (
        "Tournaments and matches of Debertz, for people and for programs. Errors are RFC 9457 problems. "
        "[Back to the site](/)"
    ),
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "matches.api.schema.tell_of_problems",
        "bots_api.pull.server.schema.add_routes",
    ],
    "SWAGGER_UI_SETTINGS": {"defaultModelsExpandDepth": -1, "docExpansion": "list", "displayRequestDuration": True},
    "ENUM_NAME_OVERRIDES": {
        "MatchStatus": "deploy.api_enums.MATCH_STATUS",
        "PartyStatus": "deploy.api_enums.PARTY_STATUS",
        "TournamentStatus": "deploy.api_enums.TOURNAMENT_STATUS",
        "EntryStatus": "deploy.api_enums.ENTRY_STATUS",
        "StageStatus": "deploy.api_enums.STAGE_STATUS",
        "RoundStatus": "deploy.api_enums.ROUND_STATUS",
        "Length": "deploy.api_enums.LENGTH",
        "PairingStatus": "deploy.api_enums.PAIRING_STATUS",
        "VersionStatus": "deploy.api_enums.VERSION_STATUS",
        "ReportStatus": "deploy.api_enums.REPORT_STATUS",
        "ReportKind": "deploy.api_enums.REPORT_KIND",
    },
}

# How often what may be done (`matches.api.limits`): for an account, or for an address where nobody has signed in.
LIMITS = env.limits(
    {
        "reading": "1200/minute",
        "writing": "600/minute",
        "signup": "10/hour",
        "bots": "20/day",
        "versions": "30/day",
        "qualifications": "20/hour",
        "challenges": "60/hour",
        "tokens": "30/day",
        "webhooks": "30/day",
        "resends": "30/hour",
    }
)
# How many proxies of our own a request passes, each of which notes in X-Forwarded-For by whom it was called.
TRUSTED_PROXIES = env.whole_number("TRUSTED_PROXIES", 0 if EMBEDDED else 1)

MATCH_LANES = env.whole_number("MATCH_LANES", 2, least=1)
MATCH_SLOTS = env.whole_number("MATCH_SLOTS", 32, least=1)
MATCH_LANE_SECONDS = env.whole_number("MATCH_LANE_SECONDS", 60, least=1)
MATCH_LEASE_SECONDS = env.whole_number("MATCH_LEASE_SECONDS", 15, least=3)
MATCH_ATTEMPTS = env.whole_number("MATCH_ATTEMPTS", 5, least=1)
# So long a match that is due waits for a program that is not there or does not accept, before it begins all the same.
MATCH_PATIENCE_SECONDS = env.whole_number("MATCH_PATIENCE_SECONDS", 600)
# Processes beside every lane in which house programs compute; with none their matches are left to other workers.
HOUSE_THINKERS = env.whole_number("HOUSE_THINKERS", 1)
MATCH_LANE_TAKES = env.one_of("MATCH_LANE_TAKES", ("all", "thinking", "others"))
env.check_thinkers(HOUSE_THINKERS, MATCH_LANE_TAKES)

BROKER_URL = env.broker()
CELERY_BROKER_URL = BROKER_URL
# Where hints pass by and requests are counted: as the redis client takes it.
HINTS_URL = env.hints_url()
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# A lane that is over still waits for the decision it asked for last: by `human` at most 30 + 120 + 0.25 s of the
# program's clock, and a second of connecting. Whoever exceeds that and a margin hangs, and a hanging worker plays
# nothing. The default queue's work is shorter and has the same limits.
CELERY_TASK_SOFT_TIME_LIMIT = MATCH_LANE_SECONDS + 175
CELERY_TASK_TIME_LIMIT = CELERY_TASK_SOFT_TIME_LIMIT + 10
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # Longer than a task may take, or a second worker is given what the first one still does. A killed worker's message
    # need not be back sooner: the beat wakes lanes every two seconds.
    "visibility_timeout": CELERY_TASK_TIME_LIMIT + 60,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
    "socket_timeout": 10,
    "socket_connect_timeout": 5,
    # A hint that cannot go out is dropped at once: a lane that waits here for a broker plays no card meanwhile.
    "max_retries": 0,
}
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 10
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_WORKER_SEND_TASK_EVENTS = False
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_TASK_ROUTES = {
    "matches.tasks.drive_lane": {"queue": "lanes"},
    # What waits for other people's servers keeps nothing waiting that a tournament needs.
    "bots_api.tasks.deliver_webhooks": {"queue": "calls"},
    "bots_api.tasks.probe_programs": {"queue": "calls"},
    "bots_api.tasks.qualify": {"queue": "calls"},
}
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0.1}
# Where beat remembers what it sent last: by default it would be whatever folder it was started in.
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "beat")
CELERY_BEAT_SCHEDULE = {
    "wake-lanes": {"task": "matches.tasks.wake_lanes", "schedule": 2.0, "options": {"expires": 2}},
    "deliver-outbox": {"task": "matches.tasks.deliver_outbox", "schedule": 5.0, "options": {"expires": 5}},
    "sweep-tournaments": {"task": "tournaments.tasks.sweep", "schedule": 10.0, "options": {"expires": 10}},
    "expire-challenges": {"task": "bots_api.tasks.expire_challenges", "schedule": 15.0, "options": {"expires": 15}},
    "deliver-webhooks": {"task": "bots_api.tasks.deliver_webhooks", "schedule": 5.0, "options": {"expires": 5}},
    "forget-old-webhook-deliveries": {"task": "bots_api.tasks.forget_old_webhook_deliveries", "schedule": 3600.0},
    "qualify": {"task": "bots_api.tasks.qualify", "schedule": 5.0, "options": {"expires": 5}},
    "forget-old-answers": {"task": "matches.tasks.forget_old_answers", "schedule": 3600.0},
    "find-who-is-ready": {
        "task": "bots_api.tasks.find_who_is_ready",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    "forget-old-mail": {"task": "bots_api.tasks.forget_old_mail", "schedule": 60.0, "options": {"expires": 60}},
    "probe-programs": {"task": "bots_api.tasks.probe_programs", "schedule": 10.0, "options": {"expires": 10}},
    "forget-old-secrets": {"task": "bots_api.tasks.forget_old_secrets", "schedule": 3600.0},
    "forget-old-deliveries": {"task": "bots_api.tasks.forget_old_deliveries", "schedule": 3600.0},
}

# How a seat's agent is reached, by the kind of agent; `matches` knows nothing else of the other rooms.
SEAT_AGENTS = {
    "house": "matches.house.HouseAgents",
    "push": "bots_api.push.PushAgents",
    "pull": "bots_api.pull.agents.PullAgents",
}
# Who is told when something happens in `matches`: one outbox row each.
OUTBOX_CONSUMERS = {
    "tournaments": "tournaments.services.results.take",
    "webhooks": "bots_api.webhooks.services.take",
    "mailbox": "bots_api.pull.voiding.take",
}
# Who rules in a match besides those with the desk's right to change matches: whoever runs the competition it is of.
MATCH_DIRECTORS = "tournaments.services.directing.directs"
# What a competition says of rulings in its matches: whether it is time, and where what is decided is corrected.
MATCH_RULINGS = "tournaments.organising.correcting.ruling_terms"
# Which matches are kept from a reader: those of draws that he may not see.
MATCH_AUDIENCE = "tournaments.web.reading.hidden_matches"

# Who is told of what everybody may know from now on: rounds drawn, standings published, matches finished.
ANNOUNCEMENT_LISTENERS = ["bots_api.webhooks.services.owe"]
# Who takes back what has not been told yet, where that is not for everybody any more.
RETRACTION_LISTENERS = ["bots_api.webhooks.services.take_back"]

DELIVERY_LOG_DAYS = env.whole_number("DELIVERY_LOG_DAYS", 30, least=1)

# The embedded default lets programs live on this very machine; an installation on the open net does not.
PUSH_ALLOW_LOOPBACK = env.switch("PUSH_ALLOW_LOOPBACK", EMBEDDED)
PUSH_ALLOW_HTTP = env.switch("PUSH_ALLOW_HTTP", EMBEDDED)

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": env.text("LOG_LEVEL", "INFO")},
    "loggers": {"celery.app.trace": {"level": "WARNING"}, "celery.worker.strategy": {"level": "WARNING"}},
}
