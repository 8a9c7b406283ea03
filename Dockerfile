# One image for all processes; the command decides which one a container runs (see docker-compose.yml).
FROM python:3.11-slim

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 DJANGO_SETTINGS_MODULE=qwixx_service.settings DATA_DIR=/data

# The user in the image owns the folder, so it owns a new volume mounted on it too.
RUN useradd --system --no-create-home --uid 10001 qwixx && install --directory --owner=qwixx --mode=0700 /data

WORKDIR /app
COPY requirements/service.txt requirements/
RUN pip install --no-cache-dir --disable-pip-version-check --require-hashes --only-binary :all: -r requirements/service.txt

COPY manage.py ./
COPY qwixx_service qwixx_service
COPY players players
COPY games games
COPY verifier verifier

USER qwixx
VOLUME /data
EXPOSE 8000
CMD ["python", "-m", "uvicorn", "qwixx_service.asgi:application", "--host=0.0.0.0", "--port=8000", "--lifespan=on", "--ws=qwixx_service.http.connections.socket_protocol:LimitedSocketProtocol", "--ws-max-size=1048576", "--ws-per-message-deflate=false", "--http=qwixx_service.http.connections.http_protocol:LimitedHttpProtocol", "--no-access-log", "--no-proxy-headers", "--timeout-graceful-shutdown=5"]
