# syntax=docker/dockerfile:1
# One image for all processes; the command decides which one a container runs (see docker-compose.yml). It runs as a user
# without rights on a file system that is mounted read-only, but for /data and /tmp.
# docker build --build-arg REQUIREMENTS=tracing adds the packages for traces.
FROM python:3.11-slim-bookworm AS packages
ARG REQUIREMENTS=service
COPY requirements/ /requirements/
RUN python -m venv /venv \
    && /venv/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes --only-binary :all: \
        --requirement "/requirements/$REQUIREMENTS.txt" \
    && /venv/bin/pip uninstall --yes --quiet pip setuptools

FROM python:3.11-slim-bookworm AS application
WORKDIR /app
COPY manage.py ./
COPY qwixx_service qwixx_service
COPY players players
COPY games games
COPY verifier verifier
COPY --from=packages /venv /venv
# The container cannot write compiled modules. A start without them takes twice as long.
RUN /venv/bin/python -m compileall -q -j 0 /app /venv

FROM python:3.11-slim-bookworm
LABEL org.opencontainers.image.title="Qwixx Service" org.opencontainers.image.licenses="MIT"
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 \
    DJANGO_SETTINGS_MODULE=qwixx_service.settings DATA_DIR=/data LOG_FORMAT=json PORT=8000
# The user in the image owns the folder, so it owns a new volume mounted on it too.
RUN useradd --system --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin --uid 10001 qwixx \
    && install --directory --owner=qwixx --mode=0700 /data
COPY --from=application /venv /venv
COPY --from=application /app /app
WORKDIR /app
USER 10001
VOLUME /data
EXPOSE 8000
# Of a web process. The other roles bring checks of their own, or none.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/readyz', timeout=4)"]
STOPSIGNAL SIGTERM
CMD ["python", "-m", "uvicorn", "qwixx_service.asgi:application", "--host=0.0.0.0", "--port=8000", "--lifespan=on", "--ws=qwixx_service.http.connections.socket_protocol:LimitedSocketProtocol", "--ws-max-size=1048576", "--ws-per-message-deflate=false", "--http=qwixx_service.http.connections.http_protocol:LimitedHttpProtocol", "--no-access-log", "--no-proxy-headers", "--timeout-graceful-shutdown=5"]
