# Thin names for what `corobench` does; `make help` lists them.

.DEFAULT_GOAL := help
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-print-directory
# What a shell sets for other programs would reach into this one: other modules, other commands, asserts that are off.
unexport PYTHONHOME PYTHONPATH PYTHONOPTIMIZE PYTHONSAFEPATH PYTHONUTF8 PYTHONWARNINGS BASH_ENV CDPATH MAKEFLAGS

PYTHON ?= python3
PROFILE ?= default
RUNTIMES ?=
WORKLOADS ?=
POINTS ?=
BUDGET ?=
STRICT ?=
A ?=
B ?=
PORT ?= 8000
# What is asked of this make is not asked of those that its tests start.
unexport PROFILE RUNTIMES WORKLOADS POINTS BUDGET STRICT

corobench := .venv/bin/corobench
select := $(if $(RUNTIMES),--runtimes '$(RUNTIMES)') $(if $(WORKLOADS),--workloads '$(WORKLOADS)') $(if $(POINTS),--points '$(POINTS)')
budget := $(if $(BUDGET),--budget '$(BUDGET)')

# A broken runtime (status 1) is reported and the others go on; anything else (usage, nothing selected, interrupted) ends it.
# What this machine can't have is no failure, unless STRICT=1 says so. It is told again at the end, with the command that helps.
define pipeline
failed=; step() { local s=0; $(corobench) "$$@" || s=$$?; if ((s > 1)); then exit $$s; elif ((s)); then failed+=" $$1"; fi; }; \
	for command in setup build verify; do step $$command --profile $(1) $(select); done; \
	step run --profile $(1) $(select) $(budget); step report; \
	step missing --profile $(1) $(select) $(if $(STRICT),--strict); \
	pages='the pages were written, with a reason for each missing number: results/site/index.html'; \
	case "$$failed " in *' report '*) pages='the pages could not be written';; esac; \
	if [[ $$failed ]]; then echo "corobench: not everything succeeded (failures in:$$failed; named above); $$pages" >&2; exit 1; fi
endef

.PHONY: help all quick scenarios findings setup build verify bench report compare publish serve doctor test lint clean bootstrap bootstrap-dev

help:  ## what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))
	@echo "  with PROFILE=smoke|quick|default|publish|scenarios|breadth|findings|million|scale|scaling|primitives RUNTIMES=go,asyncio|all WORKLOADS=spawn,switch POINTS='n <= 10_000' BUDGET=10m STRICT=1 PYTHON=python3.12"

all: bootstrap  ## set up, build, check, measure (PROFILE=default) and report
	@$(call pipeline,$(PROFILE))

quick: bootstrap  ## the same with three blocks: minutes, and no claims
	@$(call pipeline,quick)

scenarios: bootstrap  ## the scenarios in full, as their specs have them: a night, or those of WORKLOADS
	@$(call pipeline,scenarios)

findings: bootstrap  ## what decides the findings that the site discusses: versions and units side by side
	@$(call pipeline,findings)

setup: bootstrap  ## .venv, and the tools of RUNTIMES or of the PROFILE's, each only where it is missing
	@$(corobench) setup --profile $(PROFILE) $(select)

build: bootstrap  ## environments and programs of RUNTIMES, or of the PROFILE's
	@$(corobench) build --profile $(PROFILE) $(select)

verify: build  ## run every case small and check that its work is right
	@$(corobench) verify --profile $(PROFILE) $(select)

bench: build  ## measure: PROFILE, RUNTIMES, WORKLOADS, POINTS, BUDGET
	@$(corobench) run --profile $(PROFILE) $(select) $(budget)

report: bootstrap  ## the pages of every run under results
	@$(corobench) report

compare: bootstrap  ## two runs of a box: A=results/box/run B=results/box/run
	@$(corobench) compare '$(A)' '$(B)'

publish: bootstrap  ## all committed runs of all boxes as one site under results/site
	@$(corobench) publish

serve: bootstrap  ## show results/site on this machine only, at PORT
	@.venv/bin/python -m http.server --bind 127.0.0.1 --directory results/site $(PORT)

doctor: bootstrap  ## what of this box disturbs measurements, and what to do about it
	@$(corobench) doctor

test: bootstrap-dev  ## the runner, and the programs of RUNTIMES or of what `make all` measures
	@$(corobench) test $(if $(RUNTIMES),--runtimes '$(RUNTIMES)')

lint: bootstrap-dev  ## formatters, linters and type checkers of every language
	@$(corobench) lint

clean:  ## remove what was built and fetched; results stay
	rm -rf .build .toolchain .venv

bootstrap:
	@$(PYTHON) runner/bootstrap.py

bootstrap-dev:
	@$(PYTHON) runner/bootstrap.py --dev
