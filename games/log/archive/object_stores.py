"""Where volumes are: a folder, or a bucket of a store that speaks S3 (extra `archive`)."""

import os
import shutil
from pathlib import Path
from typing import Any, NamedTuple, Protocol
from urllib.parse import parse_qs, unquote, urlsplit

CONNECT_S, ANSWER_S = 3.0, 20.0


class StoreUnavailable(Exception):
    """A store cannot be reached, refuses, or lacks what it should have."""


class ObjectStore(Protocol):
    def put(self, name: str, path: Path) -> None:
        """Store a file under a name; whole, or not at all."""

    def fetch(self, name: str, path: Path) -> None:
        """Copy what is stored to a file."""

    def read(self, name: str, offset: int, length: int) -> bytes:
        """A part of what is stored."""


def open_store(url: str) -> ObjectStore:
    """`/a/folder`, `file:///a/folder`, or `s3://bucket/prefix?endpoint=https://host:port&region=eu-central-1`."""
    parts = urlsplit(url)
    if parts.scheme == "s3":
        return S3Store(_bucket(parts.netloc, parts.path, parse_qs(parts.query)))
    if parts.scheme in ("", "file") and parts.path.startswith("/"):
        return FolderStore(Path(unquote(parts.path)))
    raise ValueError("an archive is a folder (/a/folder) or a bucket (s3://bucket/prefix?endpoint=https://host)")


class FolderStore:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, name: str, path: Path) -> None:
        """A name appears when all of its bytes are on the disk."""
        part = self._folder / f"{name}.part"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, part)
            _sync(part)
            part.replace(self._folder / name)
            _sync(self._folder)
        except OSError as error:
            raise StoreUnavailable(f"{name} cannot be written: {error.strerror}") from error

    def fetch(self, name: str, path: Path) -> None:
        try:
            shutil.copyfile(self._folder / name, path)
        except OSError as error:
            raise StoreUnavailable(f"{name} cannot be read: {error.strerror}") from error

    def read(self, name: str, offset: int, length: int) -> bytes:
        try:
            with (self._folder / name).open("rb") as file:
                file.seek(offset)
                return file.read(length)
        except OSError as error:
            raise StoreUnavailable(f"{name} cannot be read: {error.strerror}") from error


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class Bucket(NamedTuple):
    """The address of a bucket; the keys are AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY of the environment."""

    name: str
    prefix: str
    endpoint: str
    region: str
    is_secure: bool


def _bucket(name: str, path: str, options: dict[str, list[str]]) -> Bucket:
    endpoint = urlsplit(options.get("endpoint", ["https://s3.amazonaws.com"])[0])
    if not name or endpoint.scheme not in ("http", "https"):
        raise ValueError("a bucket is s3://bucket/prefix?endpoint=https://host")
    prefix = path.strip("/") + "/" if path.strip("/") else ""
    region = options.get("region", ["us-east-1"])[0]
    return Bucket(name, prefix, endpoint.netloc, region, endpoint.scheme == "https")


class S3Store:
    """A store that speaks S3, through MinIO's client."""

    def __init__(self, bucket: Bucket) -> None:
        try:
            import minio
        except ImportError:
            raise StoreUnavailable("the package minio is missing: install the extra `archive`") from None
        import urllib3

        self._bucket = bucket
        waits = urllib3.Timeout(connect=CONNECT_S, read=ANSWER_S)
        self._pool = urllib3.PoolManager(timeout=waits, retries=urllib3.Retry(1), maxsize=8)
        self._client = minio.Minio(
            bucket.endpoint,
            access_key=os.environ.get("AWS_ACCESS_KEY_ID"),
            secret_key=os.environ.get("AWS_SECRET_ACCESS_KEY"),
            secure=bucket.is_secure,
            region=bucket.region,
            http_client=self._pool,
        )

    def put(self, name: str, path: Path) -> None:
        """An object appears when all of its bytes were received."""
        self._call("written", name, self._client.fput_object, file_path=str(path))

    def fetch(self, name: str, path: Path) -> None:
        self._call("read", name, self._client.fget_object, file_path=str(path))

    def read(self, name: str, offset: int, length: int) -> bytes:
        def get(**where: Any) -> bytes:
            response = self._client.get_object(**where, offset=offset, length=length)
            try:
                return bytes(response.read())
            finally:
                response.close()
                response.release_conn()

        content: bytes = self._call("read", name, get)
        return content

    def _call(self, done: str, name: str, call: Any, **arguments: Any) -> Any:
        from minio.error import MinioException
        from urllib3.exceptions import HTTPError

        try:
            return call(bucket_name=self._bucket.name, object_name=self._bucket.prefix + name, **arguments)
        except (MinioException, HTTPError, OSError) as error:
            reason = getattr(error, "code", None) or type(error).__name__
            raise StoreUnavailable(f"{name} cannot be {done}: {reason}") from error
