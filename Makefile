# Everything a newcomer needs is in `make demo` and `make test`; both do their own set-up.

PY := .venv/bin/python
PYTEST := $(PY) -m pytest $(PYTEST_ARGS)
PYTHON ?=
# What kills, or fills a machine, and so runs alone; of the rest two processes run each a half, with servers of its own.
ALONE := tests/chaos tests/rogues

.DEFAULT_GOAL := help
.PHONY: help setup demo services test test-pythons lint types contracts migrations chromium chaos browser bench \
	bench-peers proof format lock clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile

setup: ## Make .venv with the locked dependencies, and compile the engine's fast core where that can be done
	@sh deploy/setup.sh "$(PYTHON)"

demo: setup ## Host a competition of bots here; ONCE=1 ends after the final standings
	@$(PY) -m deploy.demo $(if $(ONCE),--once)

services: setup ## Keep PostgreSQL and Valkey up for development, and print how to reach them
	@$(PY) -m deploy.embedded

test: setup lint types contracts migrations chromium ## Run every check and the whole suite
	@$(PYTEST) $(addprefix --ignore ,$(ALONE)) -n 2 --dist worksteal; rooms=$$?; $(PYTEST) $(ALONE) && exit $$rooms

test-pythons: setup ## Run the suite, or TESTS, under every Python from 3.11 on that is found here
	@$(PY) -m tests.pythons $(TESTS)

lint: setup ## Check style and formatting
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .

types: setup ## Check types
	@$(PY) -m mypy

contracts: setup ## Check that imports follow the arrows
	@$(PY) -c 'import sys; from importlinter.cli import lint_imports_command; sys.exit(lint_imports_command())' --no-cache

migrations: setup ## Check that no migration is missing
	@$(PY) -W 'ignore:Got an error checking:RuntimeWarning' manage.py makemigrations --check --dry-run

chromium: setup ## Find a Chromium for the browser tests, or get one
	@$(PY) -m tests.browser.chromium

chaos: setup ## Run the tests that kill processes
	@$(PYTEST) -m chaos

browser: setup chromium ## Run the tests in a real browser
	@$(PYTEST) -m browser

bench: setup ## Measure; prints the figures
	@$(PYTEST) -m bench -s

bench-peers: setup ## Measure the engine beside its peers, which are installed to build/peers
	@sh deploy/setup.sh "$$($(PY) -c 'import sys; print(sys._base_executable)')" build/peers requirements/bench.txt
	@build/peers/bin/python -m engine bench $(BENCH)

proof: setup ## Run the long proofs and write down what they measured
	@$(PY) -m tests.proof

format: setup ## Mend what can be mended by itself
	@$(PY) -m ruff check --fix .
	@$(PY) -m ruff format .

lock: setup ## Lock the dependencies anew, with hashes and without hosts
	@for name in uv base dev bench; do \
		$(PY) -m uv pip compile -q --upgrade --universal --python-version 3.11 --generate-hashes \
			--no-header --no-annotate requirements/$$name.in -o requirements/$$name.txt || exit 1; \
	done

clean: ## Remove .venv, what was built and the tools' caches; var/ with its database stays
	rm -rf .venv build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage htmlcov
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	@if [ -d var ]; then echo "Kept: var/, with the database of the demo. To delete it: rm -r var"; fi
