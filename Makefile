# Every target does its own set-up: a machine needs Python 3.11+, make and a package registry.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SHARED_DATA := $(wildcard ../shared/data)
SHARED_VECTORS := $(wildcard ../shared/vectors)
export PSIF_DATA ?= $(if $(SHARED_DATA),$(abspath $(SHARED_DATA)))
export PSIF_VECTORS ?= $(if $(SHARED_VECTORS),$(abspath $(SHARED_VECTORS)))
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help setup demo test test-integrations lint format attack lock bench bench-quick docs wheel clean
help:
	@echo "make demo    embed the docstrings of the standard library and look at the result"
	@echo "make test    run the whole test suite"
	@echo "make bench   measure speed beside peers (make bench-quick: several minutes)"
	@echo "make docs    build the documentation site"
	@echo "make wheel   build the package and try it in an empty environment"
	@echo "make setup lint format clean"

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "psif needs Python 3.11 or newer; set PYTHON=/path/to/python3.11" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'

# One stamp for what a user has, one for what a developer has: a demo needs no test tools.
# Continuous integration sets LOCKED: every package in the version and with the hash of the lock.
$(VENV)/.user: pyproject.toml | $(VENV)/bin/python
	$(if $(LOCKED),$(BIN)/python -m pip install --quiet --require-hashes -r .ci/requirements.lock)
	$(BIN)/python -m pip install --quiet --editable '.[parquet]'
	@touch $@

$(VENV)/.dev: pyproject.toml $(VENV)/.user | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable . --group dev
	@touch $@

$(VENV)/.bench: pyproject.toml $(VENV)/.user | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable . --group bench
	@touch $@

# The transformer among the peers is large; without it the report says that it was skipped.
$(VENV)/.bench-transformer: pyproject.toml $(VENV)/.bench | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --group bench-transformer
	@touch $@

# Other people's libraries, for the tests of adapters and exports.
$(VENV)/.integrations: pyproject.toml $(VENV)/.dev | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --group integrations
	@touch $@

setup: $(VENV)/.dev

demo: $(VENV)/.user
	$(BIN)/psif demo

# Browser tests need a Chromium: one of this machine, or Debian's package where we may install it.
test: $(VENV)/.dev
	@$(BIN)/python -m tests.explorer.browser
	$(BIN)/python -m pytest -n 2 --dist loadgroup

# Adapters and exports against the real packages; those that are not installed are skipped.
test-integrations: $(VENV)/.integrations
	$(BIN)/python -m pytest tests/integrations

# Long, seeded attacks on files, formats and servers; the fast part of each is in the tests.
attack: $(VENV)/.dev
	$(BIN)/python -m tests.attacks -o results

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/codespell
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Written anew after a change of the dependencies; the lock holds for every supported Python.
lock: $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --group dev --generate-hashes --universal --quiet \
	  --python-version 3.11 --no-annotate --no-emit-index-url --no-header -o .ci/requirements.lock

# Finished measurements are kept in .bench, so that a run can be resumed; results/ is for readers.
bench: $(VENV)/.bench-transformer
	$(BIN)/python -m benchmarks -o results --cache .bench

bench-quick: $(VENV)/.bench
	$(BIN)/python -m benchmarks --quick -o .bench/quick-report --cache .bench

docs: $(VENV)/.dev
	$(BIN)/sphinx-build -W --keep-going -b html docs docs/_build/html

# What users get: the built wheel, installed without this folder, has to run the README.
wheel: | $(VENV)/bin/python
	rm -rf dist build/wheel
	$(BIN)/python -m pip install --quiet build twine
	$(BIN)/python -m build --outdir dist
	$(BIN)/python -m twine check --strict dist/*
	$(PYTHON) -m venv build/wheel
	build/wheel/bin/python -m pip install --quiet dist/*.whl pytest
	build/wheel/bin/python -m pytest -q --noconftest -p no:cacheprovider tests/test_readme.py

clean:
	rm -rf $(VENV) .bench docs/_build build dist
