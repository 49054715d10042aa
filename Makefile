# Each target sets up what it needs in .venv and then runs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: demo test test-all lint bench docs clean

demo: $(STAMP)
	$(BIN)/callsheet bench engine --quick

test: $(STAMP)
	$(BIN)/pytest

test-all: $(STAMP)
	$(BIN)/pytest -m "slow or not slow" --timeout 1800

lint: $(STAMP)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(STAMP)
	$(BIN)/callsheet bench engine

docs: $(STAMP)
	$(BIN)/python docs/generate.py

clean:
	rm -rf $(VENV) demo-library benchmarks/out

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@
