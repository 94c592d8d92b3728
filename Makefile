# Each target is a thin line; the work is done by the command line and by pytest.
SHELL := /bin/bash
PYTHON ?= python3
DATA ?= .interrex
RUNS ?= 1
SEED ?= 1
UV_VERSION := 0.13.9
UV := .venv/uv/bin/uv
export UV_PYTHON_DOWNLOADS := never
export UV_PROJECT_ENVIRONMENT := .venv

.PHONY: demo test soak check bench bench-peers proto golden install-test

.venv/.ready: uv.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3"; exit 1; }
	@test -x .venv/bin/python || $(PYTHON) -m venv .venv
	@test -x $(UV) || { $(PYTHON) -m venv .venv/uv && .venv/uv/bin/pip install -q --disable-pip-version-check uv==$(UV_VERSION); }
	$(UV) sync --frozen --quiet --all-extras
	@touch $@

demo: .venv/.ready
	@.venv/bin/interrex demo --data "$(DATA)" $(if $(ONCE),--once)

check: .venv/.ready
	.venv/bin/ruff format --check .
	.venv/bin/ruff check .
	.venv/bin/mypy
	.venv/bin/lint-imports
	.venv/bin/python scripts/generate_protos.py --check
	.venv/bin/python scripts/generate_translations.py --check
	cd proto && ../.venv/bin/buf lint
	cd proto && ../.venv/bin/buf breaking --against released.binpb

install-test: .venv/.ready
	@bash scripts/install_test_tools.sh

# A file of tests stays in one process, for what its tests share; the long ones come first. Three
# processes, as those of two cores would often wait. Another SEED tries the tests in another order and
# with other examples.
test: install-test check
	.venv/bin/pytest -n 3 --dist loadfile --no-loadscope-reorder --randomly-seed=$(SEED) --hypothesis-seed=$(SEED)

# RUNS=10 repeats every long run so often.
soak: install-test
	for run in $$(seq $(RUNS)); do .venv/bin/pytest -m soak -s --timeout 3600 tests || exit 1; done

proto: .venv/.ready
	.venv/bin/python scripts/generate_protos.py

golden: .venv/.ready
	.venv/bin/python tests/golden/generate.py

bench: .venv/.ready
	.venv/bin/python -m benchmarks.random_play
	.venv/bin/python -m benchmarks.search
	.venv/bin/python -m benchmarks.whole_path

# The other systems are fetched for this run only.
PEERS := --with open_spiel==2.0.2 --with rlcard==1.2.0 --with 'pettingzoo[classic]==1.27.0'
bench-peers: .venv/.ready
	$(UV) run --frozen $(PEERS) python -m benchmarks.peers
	$(UV) run --frozen $(PEERS) python -m benchmarks.search
