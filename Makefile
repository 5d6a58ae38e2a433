# Every path is relative, so that a checkout may lie in a folder whose name has a space.
#
#   make site                    set up, and build content/ into dist/
#   make test PYTHON=python3.13  use this interpreter; without PYTHON, the first that is new enough

PYTHON ?=
PORT ?= 8000

VENV := .venv
BIN := $(VENV)/bin
CREATED := $(VENV)/created
INSTALLED := $(VENV)/installed
INSTALLED_DEV := $(VENV)/installed-dev
BROWSER := $(VENV)/browser-path
NODE := $(VENV)/node-path
TYPES := node_modules/.package-lock.json

# A virtual environment knows its own absolute path: one that moved with its checkout would run the
# old checkout's code. It is made anew then, and when another PYTHON is asked for by name.
differs = $(subst :$(1):,,:$(2):)
MOVED := $(call differs,$(CURDIR),$(shell cat $(VENV)/checkout 2>/dev/null))
OTHER_PYTHON := $(if $(PYTHON),$(call differs,$(PYTHON),$(shell cat $(VENV)/python 2>/dev/null)))

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help site test test-fast soak audit bench check fix lock wheel clean FORCE

help: ## Say what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

site: $(INSTALLED) ## Set up, build content/ into dist/, and say how to look at it
	@$(BIN)/batcher build
	@echo "Look at it: $(BIN)/python -m http.server --directory dist $(PORT)  →  http://localhost:$(PORT)/"

test: $(INSTALLED_DEV) $(BROWSER) $(NODE) ## Set up and run every test: JavaScript, Python, browser
	@"$$(cat $(NODE))" --test tests/js/*.test.js
	@$(BIN)/python -m pytest --numprocesses auto

test-fast: $(INSTALLED_DEV) $(NODE) ## The tests that need no browser and no second
	@"$$(cat $(NODE))" --test tests/js/*.test.js
	@$(BIN)/python -m pytest --numprocesses auto -m "not browser and not slow"

soak: $(INSTALLED_DEV) ## Run the long tests: the scheduler's oracle, every fault, 1,000 edits, 10,000 saves
	@$(BIN)/python -m scripts.soak_scheduler
	@$(BIN)/python -m scripts.soak_faults
	@$(BIN)/python -m scripts.soak_edits
	@$(BIN)/python -m scripts.soak_serve

audit: $(INSTALLED_DEV) $(BROWSER) ## Look at every page in a browser: access, budgets, keyboard, width
	@$(BIN)/python -m pytest --numprocesses auto --every-page tests/browser/test_access.py \
	  tests/browser/test_pages.py tests/browser/test_budgets.py

bench: $(INSTALLED_DEV) $(NODE) ## Build the same corpus with ours, Hugo, Pelican and Eleventy in turns
	@$(BIN)/python -m bench.builds && $(BIN)/python -m bench.builds --table

check: $(INSTALLED_DEV) $(NODE) $(TYPES) ## Format, lint, types, import layers, spelling
	@$(BIN)/ruff format --check
	@$(BIN)/ruff check
	@$(BIN)/mypy
	@"$$(cat $(NODE))" node_modules/typescript/bin/tsc --project jsconfig.json
	@$(BIN)/lint-imports
	@$(BIN)/codespell

fix: $(INSTALLED_DEV) ## Mend what format and lint can mend by themselves
	@$(BIN)/ruff check --fix
	@$(BIN)/ruff format

# One lock for every Python from 3.11 and every system: pip-compile would write down only what the
# running interpreter needs, so the resolver is uv; pip alone is enough to install from it.
lock: $(CREATED) ## Write requirements-dev.txt anew from pyproject.toml, with today's releases
	@$(BIN)/python -m pip install --quiet --upgrade uv
	@$(BIN)/uv pip compile pyproject.toml --group dev --universal --python-version 3.11 --upgrade \
	  --generate-hashes --no-emit-index-url --custom-compile-command "make lock" --quiet \
	  --output-file requirements-dev.txt

wheel: $(INSTALLED_DEV) ## Build the wheel and the source archive into build/
	@$(BIN)/python -m build --no-isolation --outdir build

clean: ## Remove the built site, its cache, the virtual environment and what tools remember
	rm -rf dist build .batcher-cache $(VENV)
	rm -rf .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find src tests scripts -name __pycache__ -type d -prune -exec rm -rf {} +

# --- set-up: each file stands for a step that is done -------------------------------------------

$(CREATED): $(if $(MOVED)$(OTHER_PYTHON),FORCE)
	@for python in $(if $(PYTHON),"$(PYTHON)",python3 python3.14 python3.13 python3.12 python3.11); do \
	  if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    "$$python" -m venv --clear $(VENV) || exit 1; \
	    printf '%s\n' "$(CURDIR)" > $(VENV)/checkout; \
	    printf '%s\n' "$(PYTHON)" > $(VENV)/python; \
	    touch $@; \
	    exit 0; \
	  fi; \
	done; \
	echo "error: $(or $(PYTHON),python3) is missing or older than Python 3.11" >&2; \
	echo "hint: install Python 3.11 or newer, or name one: make $(or $(MAKECMDGOALS),site) PYTHON=python3.12" >&2; \
	exit 1

$(INSTALLED): $(CREATED) pyproject.toml
	@echo "Installing batcher-site into $(VENV) (only when pyproject.toml has changed)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(INSTALLED_DEV): $(CREATED) pyproject.toml requirements-dev.txt
	@echo "Installing what the tests and checks need into $(VENV) (only when the lock has changed)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes \
	  --requirement requirements-dev.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps \
	  --no-build-isolation --editable .
	@touch $(INSTALLED) $@

# These two look every time, which is quick: a browser or a Node may have gone since they were found.
$(BROWSER): $(INSTALLED_DEV) FORCE
	@$(BIN)/python scripts/ensure_browser.py $@

$(NODE): $(INSTALLED_DEV) FORCE
	@$(BIN)/python scripts/ensure_node.py $@

# npm comes with Node; the Node that pip fetched has it beside it, but not on the search path.
$(TYPES): package.json package-lock.json | $(NODE)
	@node="$$(cat $(NODE))"; cli="$$(dirname "$$node")/../lib/node_modules/npm/bin/npm-cli.js"; \
	if command -v npm >/dev/null; then set -- npm; else set -- "$$node" "$$cli"; fi; \
	"$$@" ci --silent --ignore-scripts --no-audit --no-fund || { \
	  echo "hint: the types of the JavaScript are checked with TypeScript, which npm fetches" >&2; \
	  exit 1; }
	@touch $@

FORCE:
