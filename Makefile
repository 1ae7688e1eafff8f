# One command each; `make` alone lists them.
# ARGS goes to the program that a target runs: make test ARGS="tests/meta -x"

SHELL := /bin/bash
UV := .uv/bin/uv
RUN := $(UV) run --frozen --no-sync
LOCKED := --quiet --no-dev --no-emit-project --no-header --no-annotate
FAST := not real and not bench and not browser and not gpu
QUICK := $(FAST) and not e2e

# The Python of the machine is used, never one from elsewhere.
export UV_PYTHON_DOWNLOADS := never
export PYTHONUNBUFFERED := 1

.DEFAULT_GOAL := help
.PHONY: help run dev test check lint types layers quick fast golden migration bench campaign format lock images setup apt environment programs

help: ## list the targets
	@sed -nE 's/^([a-z]+):.*## (.*)/make \1\t\2/p' Makefile | expand -t 18

run: ## install what is missing, then run the demo
	@deploy/setup/debian.sh run
	@deploy/setup/environment.sh --no-default-groups
	@$(RUN) gpu-reaper demo $(ARGS)

dev: environment ## run the demo again at every change of the code
	@$(RUN) watchfiles --filter python "gpu-reaper demo $(ARGS)" exporter reaper

test: setup ## install what is missing, then run every test but tests/gpu: the fast ones first
	@$(RUN) pytest -q -n auto -m "$(FAST)" $(ARGS)
	@$(RUN) pytest --durations=10 -m "not ($(FAST))" $(ARGS)

check: lint types layers quick ## what to run before every commit

lint: environment ## ruff: rules and format
	@$(RUN) ruff check .
	@$(RUN) ruff format --check .

types: environment ## mypy, strict
	@$(RUN) mypy

layers: environment ## who may import whom
	@$(RUN) lint-imports --no-cache

quick: environment ## the tests that start no whole program and need no real component
	@$(RUN) pytest -q -n auto -m "$(QUICK)" $(ARGS)

fast: environment ## the tests that need no real component
	@$(RUN) pytest -q -n auto -m "$(FAST)" $(ARGS)

golden: environment ## rewrite the golden files, to be read before they are committed
	@$(RUN) pytest -q -m "$(FAST)" --golden $(ARGS)

migration: environment ## write a migration for what changed in the tables: make migration m="add notes"
	@$(RUN) python -m reaper.store.migrations "$(m)"

bench: environment ## print the figures beside their peers, at their whole sizes: make bench ARGS=tests/bench/test_bench_turn.py
	@BENCH_SIZE=whole $(RUN) pytest -q -s $(if $(filter tests/%,$(ARGS)),,tests/bench) $(ARGS)

campaign: environment ## play 2,000 random clusters and judge what was done by their truth: make campaign ARGS="200 --from 5000"
	@$(RUN) python -m tests.campaign $(ARGS)

format: environment ## let ruff format and fix what it safely can
	@$(RUN) ruff format .
	@$(RUN) ruff check --fix .

lock: environment ## bring uv.lock up to date with pyproject.toml, and what an installation is held to
	@$(UV) lock
	@$(UV) export --frozen $(LOCKED) -o deploy/locked/requirements.txt > /dev/null
	@$(UV) export --frozen $(LOCKED) --all-extras -o deploy/locked/extras.txt > /dev/null
	@$(UV) export --frozen $(LOCKED) --only-group build -o deploy/locked/build.txt > /dev/null

images: ## hold the images of the compose file to their digests of today: deploy/compose.locked.yaml
	@deploy/setup/images.sh pin

setup: apt environment programs ## everything that the tests need

apt: ## the Debian packages that the tests need
	@deploy/setup/debian.sh test

programs: environment ## Kubernetes and Kueue for the tests, built once, in the background
	@$(RUN) python -m tests.real.kubernetes.programs --background

environment: ## uv and the virtual environment
	@deploy/setup/environment.sh --all-groups
