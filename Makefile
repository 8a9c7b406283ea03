# The work is done by manage.py and the tools named in pyproject.toml.
# The fastest build of the installed Python, unless PYTHON names one.
FASTEST := $(if $(PYTHON),echo $(PYTHON),python3 requirements/fastest_python.py)
PYTHON ?= python3
PY := .venv/bin/python
PIP := $(PY) -m pip --disable-pip-version-check install --require-hashes --only-binary :all:
export DJANGO_SETTINGS_MODULE := qwixx_service.settings

.PHONY: screenshots run test chaos recovery deployment lint bench clients generators pins format

run: .venv/run.done  ## the whole service on http://127.0.0.1:8000 (PORT=… and DATA_DIR=… change port and data folder)
	@exec $(PY) manage.py up

test: .venv/dev.done  ## all tests, in two processes with a temporary PostgreSQL and Valkey each; ARGS="-k lock" selects
	@$(PY) -m tests.browser.chromium
	@$(PY) -m clients.build packages
	@exec $(PY) -m pytest $(if $(ARGS),$(ARGS),-n 2 --dist loadgroup)

chaos: .venv/dev.done  ## kill, stop, cut off and fill every part of a service for ten minutes while people play; CHAOS_S=… seconds
	@CHAOS_S=$${CHAOS_S:-600} exec $(PY) -m pytest -n 0 -q -p no:randomly tests/chaos/test_chaos.py $(ARGS)

recovery: .venv/dev.done  ## lose the leader of a replicated database, and restore one from its backup, while people play; needs packages of Debian
	@RECOVERY=1 exec $(PY) -m pytest -n 0 -q -s tests/recovery $(ARGS)

deployment: .venv/dev.done  ## check images and manifests by schemas and linters, and run the steps of the image; installs into .tools/
	@$(PY) -m tests.deployment.tools
	@DEPLOYMENT=1 exec $(PY) -m pytest -n 0 -q tests/deployment $(ARGS)

lint: .venv/dev.done  ## style, types, layers
	$(PY) -m ruff check . && $(PY) -m ruff format --check .
	$(PY) -m mypy .
	.venv/bin/lint-imports --no-cache
	$(PY) manage.py migrate --check-online

screenshots: .venv/dev.done  ## every screen in 7 sizes, 2 themes and 5 languages into .screenshots/, checked; ARGS="home lobby" selects
	@$(PY) -m tests.browser.chromium
	@exec $(PY) -m tests.screenshots $(ARGS)

bench: .venv/dev.done  ## benchmarks, as ratios within one run; ARGS="rules http" selects parts, ARGS=--help lists them
	@exec $(PY) -m bench $(ARGS)

clients: .venv/dev.done  ## generate and build the clients from docs/openapi.json
	$(PY) -m clients.build

generators: .venv/dev.done  ## generators of clients and linters on the served documents; installs them into .tools/
	@$(PY) -m tests.generators.tools
	@GENERATORS=all exec $(PY) -m pytest -n 0 tests/generators $(ARGS)

format: .venv/dev.done
	$(PY) -m ruff check --fix . ; $(PY) -m ruff format .

pins: .venv/dev.done  ## write requirements/*.txt from pyproject.toml
	.venv/bin/uv pip compile -q --universal --generate-hashes --no-header --no-annotate pyproject.toml -o requirements/service.txt
	.venv/bin/uv pip compile -q --universal --generate-hashes --no-header --no-annotate pyproject.toml --extra embedded -c requirements/service.txt -o requirements/run.txt
	.venv/bin/uv pip compile -q --universal --generate-hashes --no-header --no-annotate pyproject.toml --extra tracing -c requirements/service.txt -o requirements/tracing.txt
	.venv/bin/uv pip compile -q --universal --generate-hashes --no-header --no-annotate pyproject.toml --extra archive -c requirements/service.txt -o requirements/archive.txt
	.venv/bin/uv pip compile -q --universal --generate-hashes --no-header --no-annotate pyproject.toml --extra embedded --extra dev -c requirements/run.txt -o requirements/dev.txt

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or later is needed: PYTHON=python3.11 make $(MAKECMDGOALS)" >&2; exit 1; }
	@python=$$($(FASTEST)) && echo "Creating .venv with $$($$python --version) ($$python)" && $$python -m venv .venv || { echo "Python's venv module is missing; on Debian: apt install python3-venv" >&2; rm -rf .venv; exit 1; }

# A .venv whose creation was interrupted has no pip.
.venv/%.done: requirements/%.txt | .venv/bin/python
	@echo "Installing requirements/$*.txt into .venv (once; about a minute)"
	@$(PY) -m pip --version >/dev/null 2>&1 || $(PY) -m ensurepip
	@$(PIP) -r requirements/$*.txt
	@touch $@
