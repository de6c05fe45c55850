# Two words do everything: `make demo` and `make test`. The rest is for whoever changes the code.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test check format lint types tests wheel docs torture lock clean
.DEFAULT_GOAL := check

demo: $(READY)  ## crawl the built-in site with every strategy
	$(BIN)/datahound demo --output demo-output

test: $(READY) lint types tests wheel  ## everything that must be green

check: format test

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $(READY)

format: $(READY)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(READY)
	$(BIN)/mypy

tests: $(READY)
	$(BIN)/pytest -n 3 --dist worksteal

docs: $(READY)  ## write the pages that are made from the code
	$(BIN)/python docs/generate.py

torture: $(READY)  ## kill crawls, fail every write once, cut the power, read 20,000 hostile answers
	DATAHOUND_KILLS=60 DATAHOUND_WRITES=1 DATAHOUND_CUTS=200 $(BIN)/pytest tests/torture
	$(BIN)/python benchmarks/hostile.py

wheel: $(READY)  ## build the wheel and try it in an environment without the extras
	rm -rf build/wheel && mkdir -p build/wheel
	$(BIN)/python -m build --wheel --no-isolation --outdir build/wheel . > build/wheel/build.log || (cat build/wheel/build.log; exit 1)
	$(PYTHON) -m venv build/wheel/env
	build/wheel/env/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.lock
	build/wheel/env/bin/python -m pip install --quiet --disable-pip-version-check --no-deps build/wheel/*.whl
	build/wheel/env/bin/python -m pip uninstall --quiet --yes matplotlib usearch scrapy
	cd build/wheel && env/bin/datahound demo --quick --output demo
	build/wheel/env/bin/python tests/first_contact.py build/wheel/env/bin/datahound

lock:  ## lock the newest releases: names, versions, hashes
	$(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip install --quiet uv
	build/lock/bin/uv pip compile --quiet --upgrade --universal --generate-hashes --no-header --no-annotate --no-emit-index-url --group dev pyproject.toml -o requirements.lock

clean:
	rm -rf $(VENV) build dist demo-output
