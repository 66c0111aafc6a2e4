# make crawl [START=https://...] [PROFILE=tag]   set up, then crawl that site, or the demo site
# make test [COVERAGE=95]                        set up, then run all tests; fail where less of the code is run (percent)
# make test-lowest                               core tests with the oldest versions of dependencies allowed
# make check                                     linters and type checker
# make bench [DATA=folder]                       benchmarks of speed and size, in minutes (docs/performance.md)
# make bench-full [DATA=folder]                  the same at full sizes, in hours
# make bench-verdicts DATA=folder                those of verdicts on real pages and of hashes (benchmarks/README.md)
# make mutants [SAMPLE=60]                       mutation tests, in over an hour (docs/mutants.md)
# make spark                                     Spark for `scrapy neardup batch` and its tests, into the same environment
# make scrapyd                                   Scrapyd for its tests, beside the same environment
# make peers                                     what the benchmarks compare with, into the same environment
# make dist                                      sdist and wheel, in dist/
# make lock                                      pin the newest version of every dependency (requirements/)

SUPPORTED := (3, 11) <= sys.version_info < (3, 15)
ifeq ($(strip $(PYTHON)),)
PYTHON := $(shell for name in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$name -c 'import sys; sys.exit(not $(SUPPORTED))' 2>/dev/null && echo $$name && break; done)
endif
VENV ?= .venv
BIN := $(VENV)/bin
# The environment is made anew for another Python or another crawl.lock. So the version of Python is
# in the names of the stamps, and `make spark` and `make scrapyd` must be run again afterwards.
VERSION := $(shell $(or $(PYTHON),false) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)
PACKAGES := $(VENV)/.packages-$(VERSION)
CRAWL := $(VENV)/.crawl-$(VERSION)
TEST := $(VENV)/.test-$(VERSION)
START ?=
PROFILE ?= default
COVERAGE ?=
DATA ?=
SAMPLE ?= 60

.PHONY: crawl test check bench bench-full bench-verdicts mutants peers spark scrapyd dist test-lowest lock clean

# The first run leaves bytecode of the modules that it imports, so that the next one starts at once.
crawl: $(CRAWL)
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -m crawler $(if $(START),'$(START)') --profile $(PROFILE)

# All processes of all tests share the bytecode that the first one of them leaves.
test: $(CRAWL) $(TEST)
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest $(if $(COVERAGE),--cov --cov-report=term --cov-fail-under=$(COVERAGE)) -n 2 --dist worksteal

check: $(TEST)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pip check

# Without DATA, what needs the data folder is skipped; without `make peers`, the peers are.
bench: $(TEST)
	$(BIN)/python -m benchmarks.performance $(DATA)

bench-full: $(TEST)
	$(BIN)/python -m benchmarks.performance --full $(DATA)

bench-verdicts: $(TEST)
	$(BIN)/python -m benchmarks $(DATA)

mutants: $(TEST)
	$(BIN)/python -m pip install --quiet --requirement benchmarks/mutants.txt
	$(BIN)/python -m benchmarks.mutants --sample $(SAMPLE)

peers: $(TEST)
	$(BIN)/python -m pip install --quiet --requirement benchmarks/peers.txt

# Half a gigabyte, installed only for those who need it.
spark: $(TEST)
	$(BIN)/python $(INSTALL) -r requirements/spark.lock

# Scrapyd needs an older setuptools than everything else, so it gets a folder of its own.
scrapyd: $(TEST)
	$(BIN)/python $(INSTALL) --upgrade --target $(VENV)/scrapyd -r requirements/scrapyd.lock

# auditwheel names the oldest glibc that the compiled code in the wheel runs with.
dist: $(TEST)
	@$(BIN)/python -c 'import sys; from dedup import native; native.core or sys.exit("no wheel without compiled code. " + native.MISSING)'
	rm -rf build dist *.egg-info
	$(BIN)/python -m build --no-isolation --outdir dist/raw
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m auditwheel repair --wheel-dir dist dist/raw/*.whl
	mv dist/raw/*.tar.gz dist
	rm -r dist/raw

# The oldest versions of dependencies that pyproject.toml allows, for the oldest Python.
LOWEST := $(VENV)/lowest/bin/python
test-lowest: $(VENV)/.lowest
	$(LOWEST) -m pytest -n 2 --dist worksteal tests/scrapy tests/store tests/crawler

$(VENV)/.lowest: $(PACKAGES) requirements/lowest.lock | $(CRAWL)
	$(PYTHON) -m venv --clear $(VENV)/lowest
	$(LOWEST) $(INSTALL) -r requirements/build.lock
	$(LOWEST) $(INSTALL) -r requirements/lowest.lock
	$(LOWEST) $(EDITABLE)
	touch $@

# Each lock holds for every supported version of Python, with markers. All take their versions from the
# largest one, so that no package is installed twice.
LOCK = UV_CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/uv pip compile --quiet --upgrade --universal \
	--python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links
NEWEST = --constraint requirements/test.lock
EXTRAS = fast redis report review
lock: $(CRAWL)
	$(BIN)/python -m pip install --quiet 'uv>=0.9'
	$(LOCK) pyproject.toml --group build --group crawl --group test $(EXTRAS:%=--extra %) -o requirements/test.lock
	$(LOCK) $(NEWEST) --group build -o requirements/build.lock
	$(LOCK) $(NEWEST) pyproject.toml --group crawl --extra fast -o requirements/crawl.lock
	$(LOCK) $(NEWEST) pyproject.toml --extra spark -o requirements/spark.lock
	$(LOCK) --group scrapyd --no-deps -o requirements/scrapyd.lock
	$(LOCK) --resolution lowest-direct pyproject.toml --group crawl --group test $(EXTRAS:%=--extra %) -o requirements/lowest.lock

# The newest pip comes first: it needs half of the time that the one of Debian 12 takes.
INSTALL = -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes --no-build-isolation
EDITABLE = -m pip install --quiet --no-deps --no-build-isolation --editable .
NO_PYTHON = Python 3.11, 3.12, 3.13 or 3.14 is needed; $(or $(PYTHON),python3) is another version or is missing: install one of these, or name it, as in: make PYTHON=/usr/bin/python3.13 crawl
$(PACKAGES): requirements/build.lock requirements/crawl.lock
	@$(or $(PYTHON),false) -c 'import sys; sys.exit(not $(SUPPORTED))' || { echo "$(NO_PYTHON)" >&2; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python $(INSTALL) -r requirements/build.lock
	$(BIN)/python $(INSTALL) --no-compile -r requirements/crawl.lock
	touch $@

$(CRAWL): $(PACKAGES) pyproject.toml setup.py $(wildcard dedup/native/*.[ch])
	$(BIN)/python $(EDITABLE)
	@$(BIN)/python -c 'from dedup import native; native.core or print(native.MISSING)'
	touch $@

# Tests start hundreds of processes, so all bytecode is written beforehand.
$(TEST): $(PACKAGES) requirements/test.lock | $(CRAWL)
	$(BIN)/python $(INSTALL) --no-compile -r requirements/test.lock
	$(BIN)/python -W ignore -m compileall -q -j 2 $(VENV)/lib crawler dedup settings
	touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info dedup/native/*.so
