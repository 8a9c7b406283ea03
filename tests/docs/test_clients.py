"""What of the clients is generated and committed is up to date."""

from pathlib import Path

import pytest

from clients import python_source


def test_the_python_client_is_generated_from_the_api(tmp_path: Path) -> None:
    python_source.main(tmp_path)
    for written in sorted(tmp_path.iterdir()):
        committed = python_source.PACKAGE / written.name
        assert committed.read_text() == written.read_text(), "run: make clients"


@pytest.mark.parametrize("name", ["README.md", "pyproject.toml", "src/qwixx_client/py.typed"])
def test_the_python_package_has_what_its_installation_needs(name: str) -> None:
    assert (python_source.ROOT / "clients/python" / name).exists()
