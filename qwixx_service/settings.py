"""Every setting of the service, read from the environment; the defaults run everything on one machine."""

from pathlib import Path
from typing import Any

import environ
from celery.schedules import crontab
from csp.constants import NONCE, NONE, SELF
from psycopg.conninfo import conninfo_to_dict

from players.limits import connection_budget
from qwixx_service import public_url
from qwixx_service.embedded import data_folder, services
from qwixx_service.observability.log_config import log_config

env = environ.Env()
BASE_DIR = Path(__file__).resolve().parent.parent

# The data of the embedded servers, and the secret key if the environment names none.
DATA_DIR = Path(env("DATA_DIR", default="") or BASE_DIR / ".data").resolve()

# The service connects with the first address, and `manage.py migrate` with the second (decision 21). If the second is
# not given, both are the first.
given, given_owner = env("DATABASE_URL", default=""), env("DATABASE_OWNER_URL", default="")
DATABASE_URL = services.checked_database_url(given or services.database_url(DATA_DIR))
DATABASE_OWNER_URL = services.checked_database_url(
    given_owner or given or services.owner_url(DATA_DIR), "DATABASE_OWNER_URL" if given_owner else "DATABASE_URL"
)
# Through a pooler in transaction mode the connection that LISTENs needs the address of the server itself. Where it is
# given, nothing that outlives a transaction is kept on any other connection.
DATABASE_DIRECT_URL = env("DATABASE_DIRECT_URL", default="")
HAS_POOLER = bool(DATABASE_DIRECT_URL and services.checked_database_url(DATABASE_DIRECT_URL, "DATABASE_DIRECT_URL"))
# A streaming replica, for reads that may be a moment late, or that notice when they are (decision 33).
given_replica = env("DATABASE_REPLICA_URL", default="")
DATABASE_REPLICA_URL = given_replica and services.checked_database_url(given_replica, "DATABASE_REPLICA_URL")
# Where `manage.py archive` moves the logs of old games: a folder, or a bucket.
ARCHIVE_URL = env("ARCHIVE_URL", default="")
# The most connections to PostgreSQL that one process opens, and what they are for.
try:
    CONNECTIONS = connection_budget.split(env.int("DATABASE_CONNECTIONS", default=connection_budget.MOST))
except ValueError as error:
    raise data_folder.CannotStart(f"DATABASE_CONNECTIONS cannot be used: {error}.") from None
# The cache. The hub between processes and the broker of tasks use the same server, unless they have others.
REDIS_URL = services.checked_redis_url(env("REDIS_URL", default="") or services.redis_url(DATA_DIR))
HUB_URL = services.checked_redis_url(env("HUB_URL", default="") or REDIS_URL, "HUB_URL")
BROKER_URL = env("BROKER_URL", default="") or REDIS_URL
SECRET_KEY = env("SECRET_KEY", default="") or data_folder.secret_key(DATA_DIR)

DEBUG = env.bool("DEBUG", default=False)

# The address under which players reach the service; mailed links begin with it.
PUBLIC_URL = (
    public_url.checked(env("PUBLIC_URL"))
    if env("PUBLIC_URL", default="")
    else f"http://127.0.0.1:{env('PORT', default='') or 8000}"
)
# The number of trusted proxies before the service that add to X-Forwarded-For and set X-Forwarded-Proto.
NUM_PROXIES = env.int("NUM_PROXIES", default=0)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
ALLOWED_HOSTS.append(public_url.host(PUBLIC_URL))

# TLS ends at a proxy: https in PUBLIC_URL says that there is one.
IS_HTTPS = public_url.is_https(PUBLIC_URL)
SESSION_COOKIE_AGE = 12 * 3600  # only staff have sessions of Django's (`players.moderation.staff_sessions`)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = IS_HTTPS
CSRF_TRUSTED_ORIGINS = [public_url.origin(PUBLIC_URL)] if IS_HTTPS else []
SECURE_HSTS_SECONDS = 31_536_000 if IS_HTTPS else 0
# Without a proxy, the header would be the client's own word.
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if IS_HTTPS and NUM_PROXIES else None
# The proxy redirects http to https: half of the routes never reach Django, and callers inside the network use http.
SECURE_SSL_REDIRECT = False
# No redirect (see above); HSTS for subdomains and preload lists are decisions about a domain, not about one service.
SILENCED_SYSTEM_CHECKS = ["security.W008", "security.W005", "security.W021"]

INSTALLED_APPS = [
    "unfold",  # before the admin, whose templates it replaces
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.admin",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "channels",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "qwixx_service",
    "players",
    "games",
    "games.web",
    "games.webhooks",
]
MIDDLEWARE = [
    "qwixx_service.http.compression.CompressionMiddleware",
    "qwixx_service.http.django_middleware.ProblemDocumentMiddleware",
    "qwixx_service.http.django_middleware.LanguageMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django_otp.middleware.OTPMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "qwixx_service.admin.AdminMiddleware",
    "players.admin.staff.session_pages.StaffSessionMiddleware",
    "players.admin.staff.second_factor_pages.SecondFactorMiddleware",
]
# The page runs its own scripts and no others. The API docs, whose page has inline scripts, are exempt; the
# admin's policy is in `qwixx_service.admin`.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF, NONCE],
        "style-src": [SELF],
        "img-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    },
}
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "libraries": {"admin_texts": "players.admin.template_tags"},
        },
    }
]
ROOT_URLCONF = "qwixx_service.urls"
CSRF_FAILURE_VIEW = "qwixx_service.http.problems.csrf_failure"
ASGI_APPLICATION = "qwixx_service.asgi.application"


def database(url: str) -> dict[str, Any]:
    """An address of libpq, which may name several hosts: of those, with `target_session_attrs=read-write`, the one is
    used that accepts writes."""
    options: dict[str, Any] = conninfo_to_dict(url)
    names = {"dbname": "NAME", "user": "USER", "password": "PASSWORD", "host": "HOST", "port": "PORT"}
    parts: dict[str, Any] = {theirs: str(options.pop(ours, "") or "") for ours, theirs in names.items()}
    parts["ENGINE"] = "django.db.backends.postgresql"
    # Connections are kept by the pool, and returned to it at the end of each request.
    options.setdefault("connect_timeout", 5)  # a server that hangs takes every caller and answers none
    # No caller waits for a connection that another one uses: there is one for each thread. After two attempts, a second
    # apart, it is left to the next caller to make one, as the pool's own pauses would grow while the server is away.
    waits = {"timeout": 2.0, "reconnect_timeout": 0.5}
    options["pool"] = {"min_size": 0, "max_size": CONNECTIONS.django, **waits}
    parts["DISABLE_SERVER_SIDE_CURSORS"] = HAS_POOLER
    return {**parts, "CONN_MAX_AGE": 0, "CONN_HEALTH_CHECKS": True, "ATOMIC_REQUESTS": False, "OPTIONS": options}


DATABASES = {"default": database(DATABASE_URL)}
if DATABASE_REPLICA_URL:
    DATABASES["replica"] = database(DATABASE_REPLICA_URL)
OWNER_DATABASE = database(DATABASE_OWNER_URL)  # used by `qwixx_service.database.roles` in place of the default
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "players.Player"
LOGIN_REDIRECT_URL = "/admin/"  # after a login that no other page asked for
# "required" of superusers, administrators and moderators, or "optional"; a member of staff who has one always needs it.
STAFF_SECOND_FACTOR = env("STAFF_SECOND_FACTOR", default="") or "required"
if STAFF_SECOND_FACTOR not in ("required", "optional"):
    raise data_folder.CannotStart('STAFF_SECOND_FACTOR must be "required" or "optional".')
OTP_TOTP_ISSUER = "Qwixx Service"  # the name that an authenticator app shows
PASSWORD_HASHERS = ["players.accounts.passwords.BoundedArgon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ("name", "email")},
    },
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]

UNFOLD = {
    "SITE_TITLE": "Qwixx Service",
    "SITE_HEADER": "Qwixx Service",
    "SITE_URL": "/",
    "SITE_SYMBOL": "casino",
    "SHOW_HISTORY": False,
    "SHOW_BACK_BUTTON": True,
    "SHOW_LANGUAGES": True,
    "DASHBOARD_CALLBACK": "games.admin.dashboard.callback",
    "STYLES": ["/static/games/admin.css"],
    "SCRIPTS": ["/static/games/admin.js"],
    "SIDEBAR": {"show_search": False, "navigation": "qwixx_service.admin.navigation"},
}

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("ru", "Русский"), ("uk", "Українська"), ("pl", "Polski")]
# The language that a user chooses in the admin's menu holds for the admin only.
LANGUAGE_COOKIE_PATH, LANGUAGE_COOKIE_SAMESITE, LANGUAGE_COOKIE_HTTPONLY = "/admin/", "Lax", True
USE_I18N = True
LOCALE_PATHS = [BASE_DIR / "qwixx_service" / "locale"]  # texts of unfold, which brings none
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "/static/"
# The programs that check exported games: /static/verifier/verify.js and verify.py.
STATICFILES_DIRS = [("verifier", BASE_DIR / "verifier")]

# Origins whose pages may call the API from a browser, such as https://play.example.org.
CORS_ORIGINS = env.list("CORS_ORIGINS", default=[])
# The oldest version of the app that is still served; an older app asks for an update.
OLDEST_APP = env("OLDEST_APP", default="0.1.0")

# smtp://user:password@host:587, smtp+tls://… or smtp+ssl://…; without it the worker prints mails.
mail = env.email_url_config(env("EMAIL_URL", default="") or "consolemail://")
EMAIL_BACKEND, EMAIL_HOST, EMAIL_PORT = mail["EMAIL_BACKEND"], mail["EMAIL_HOST"], mail["EMAIL_PORT"] or 25
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = mail["EMAIL_HOST_USER"] or "", mail["EMAIL_HOST_PASSWORD"] or ""
EMAIL_USE_TLS, EMAIL_USE_SSL = mail.get("EMAIL_USE_TLS", False), mail.get("EMAIL_USE_SSL", False)
EMAIL_FILE_PATH = mail["EMAIL_FILE_PATH"] or None
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = env("MAIL_FROM", default="") or "Qwixx Service <no-reply@localhost>"

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["players.api.token_authentication.TokenAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_THROTTLE_CLASSES": ["players.api.throttling.Throttle"],
    "DEFAULT_RENDERER_CLASSES": ["qwixx_service.http.rest_framework.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["qwixx_service.http.rest_framework.JSONParser"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "qwixx_service.http.rest_framework.OnlyJSON",
    "DEFAULT_METADATA_CLASS": "qwixx_service.http.rest_framework.Methods",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "qwixx_service.http.rest_framework.exception_handler",
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Qwixx Service",
    "VERSION": "v1",
    "OAS_VERSION": "3.1.1",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_PATCH": False,  # bodies have serializers of their own, and members of a PATCH are optional
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "POSTPROCESSING_HOOKS": [
        "games.api.schema.add_shapes",
        "qwixx_service.documents.operation_texts.add_texts",
        "qwixx_service.documents.openapi.add_conventions",
        "qwixx_service.documents.used_components.tidy",
    ],
    # The API docs load their scripts from this server, so that they work offline.
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "validatorUrl": None},
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SERVE_AUTHENTICATION": [],
}

# The shortest and longest delay before a bot answers, in seconds.
BOT_DELAY_S = [float(seconds) for seconds in env.list("BOT_DELAY_S", default=["0.6", "1.8"])]
# Whether web processes enforce deadlines while no worker does.
WEB_SWEEPS = env.bool("WEB_SWEEPS", default=True)

# For development and tests only: webhooks may reach this machine, and have http URLs.
WEBHOOKS_ALLOW_LOOPBACK = env.bool("WEBHOOKS_ALLOW_LOOPBACK", default=False)

CELERY_BROKER_URL = services.celery_broker_url(BROKER_URL)
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 3600, **services.celery_options(BROKER_URL)}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # retry until the broker is back
CELERY_TASK_ROUTES = {
    "games.sweep": {"queue": "time"},
    "games.abort_abandoned_games": {"queue": "time"},
    "games.play_bots": {"queue": "bots"},
    "games.send_webhooks": {"queue": "webhooks"},
}
AT_NIGHT = crontab(hour="3", minute="10")
# A task that has not begun when the next one is due expires, so that tasks do not pile up.
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "games.sweep", "schedule": 1.0, "options": {"expires": 1.0}},
    "match": {"task": "games.match", "schedule": 1.0, "options": {"expires": 1.0}},
    "delete_old_tickets": {"task": "games.delete_old_tickets", "schedule": 3600.0, "options": {"expires": 3600.0}},
    "make_partitions": {"task": "games.make_partitions", "schedule": 3600.0, "options": {"expires": 3600.0}},
    "abort_abandoned_games": {"task": "games.abort_abandoned_games", "schedule": 300.0, "options": {"expires": 300.0}},
    "sweep_players": {"task": "players.sweep", "schedule": 3600.0, "options": {"expires": 3600.0}},
    "send_webhooks": {"task": "games.send_webhooks", "schedule": 1.0, "options": {"expires": 1.0}},
    "send_all_webhooks": {"task": "games.send_webhooks", "schedule": 60.0, "kwargs": {"is_thorough": True}},
    "delete_old_deliveries": {
        "task": "games.delete_old_deliveries",
        "schedule": 3600.0,
        "options": {"expires": 3600.0},
    },
    "project_results": {"task": "games.project_results", "schedule": 5.0, "options": {"expires": 5.0}},
    "project_all_results": {"task": "games.project_results", "schedule": 600.0, "kwargs": {"is_thorough": True}},
    "roll_up": {"task": "games.roll_up", "schedule": 300.0, "options": {"expires": 300.0}},
    "roll_up_all": {
        "task": "games.roll_up",
        "schedule": crontab(hour="3", minute="10"),
        "kwargs": {"is_thorough": True},
    },
    "find_signals": {"task": "games.find_signals", "schedule": crontab(hour="3", minute="40")},
    "fill_leaderboard_caches": {"task": "games.fill_leaderboard_caches", "schedule": 5.0, "options": {"expires": 5.0}},
}

# "json": one object to a line, for programs that collect logs; "text" for people.
LOG_FORMAT = env("LOG_FORMAT", default="") or "text"
if LOG_FORMAT not in ("json", "text"):
    raise data_folder.CannotStart('LOG_FORMAT must be "json" or "text".')
LOG_LEVEL = (env("LOG_LEVEL", default="") or "INFO").upper()
if LOG_LEVEL not in ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"):
    raise data_folder.CannotStart("LOG_LEVEL must be DEBUG, INFO, WARNING, ERROR or CRITICAL.")
LOGGING_CONFIG = "qwixx_service.observability.log_config.configure"
LOGGING = log_config(LOG_LEVEL, LOG_FORMAT)
