# make crawl [START=https://...] [PROFILE=tag]   set up, then crawl that site, or the demo site
# make test [COVERAGE=95]                        set up, then run all tests; fail where less of the code is run (percent)
# make check                                     linters and type checker
# make bench [DATA=folder]                       benchmarks of speed and size, in minutes (docs/performance.md)
# make bench-full [DATA=folder]                  the same at full sizes, in hours
# make bench-verdicts DATA=folder                those of verdicts on real pages and of hashes (benchmarks/README.md)
# make mutants [SAMPLE=60]                       mutation tests, in under an hour (docs/mutants.md)
# make spark                                     Spark for `scrapy neardup batch` and its tests, into the same environment
# make peers                                     what the benchmarks compare with, into the same environment

PYTHON ?= $(shell command -v python3.11 || command -v python3.12 || command -v python3)
VENV ?= .venv
BIN := $(VENV)/bin
START ?=
PROFILE ?= default
COVERAGE ?=
DATA ?=
SAMPLE ?= 60

.PHONY: crawl test check bench bench-full bench-verdicts mutants peers spark wheel lock clean

crawl: $(VENV)/.ready
	$(BIN)/python -m crawler $(START) --profile $(PROFILE)

test: $(VENV)/.ready
	$(BIN)/python -m pytest $(if $(COVERAGE),--cov --cov-report=term --cov-fail-under=$(COVERAGE)) -n 2 --dist worksteal

check: $(VENV)/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Without DATA, what needs the data folder is skipped; without `make peers`, the peers are.
bench: $(VENV)/.ready
	$(BIN)/python -m benchmarks.performance $(DATA)

bench-full: $(VENV)/.ready
	$(BIN)/python -m benchmarks.performance --full $(DATA)

bench-verdicts: $(VENV)/.ready
	$(BIN)/python -m benchmarks $(DATA)

mutants: $(VENV)/.ready
	$(BIN)/python -m pip install --quiet --requirement benchmarks/mutants.txt
	$(BIN)/python -m benchmarks.mutants --sample $(SAMPLE)

peers: $(VENV)/.ready
	$(BIN)/python -m pip install --quiet --requirement benchmarks/peers.txt

# Half a gigabyte, so that only those who need it wait for it.
spark: $(VENV)/.ready
	$(BIN)/python -m pip install --quiet --require-hashes --no-build-isolation -r requirements-spark.lock

wheel: $(VENV)/.ready
	$(BIN)/python -m build --wheel

# The locks are made for the oldest Python supported, from pyproject.toml. From 3.13 on the package of
# LevelDB is another one, which is not in them. Extras stand beside their pins: the pip that Debian
# brings takes a pin without them for another package, and looks for one in the newest release.
UNLIKE_LOCKED = sys.version_info[:2] not in ((3, 11), (3, 12))
COMPILE = CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/pip-compile --quiet --upgrade --generate-hashes \
	--no-strip-extras --allow-unsafe --no-emit-index-url --no-emit-trusted-host --no-emit-find-links
lock: $(VENV)/.ready
	$(COMPILE) --extra dev --output-file requirements.lock pyproject.toml
	$(COMPILE) --extra spark --constraint requirements.lock --output-file requirements-spark.lock pyproject.toml

# With a C compiler and Python's headers, pages are read by compiled code; else by Python alone. Bytecode
# is written as for a package that is installed, where Python is told to write none, too.
$(VENV)/.ready: requirements.lock pyproject.toml setup.py $(wildcard dedup/native/*.[ch])
	@$(PYTHON) -c 'import sys; sys.exit($(UNLIKE_LOCKED) and "requirements.lock is for Python 3.11 and 3.12, this is " + sys.version.split()[0] + ": make PYTHON=python3.11 ...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q crawler dedup settings
	@$(BIN)/python -c 'from dedup import native; native.core or print(native.MISSING)'
	touch $@

clean:
	rm -rf $(VENV) output build dist *.egg-info dedup/native/*.so
