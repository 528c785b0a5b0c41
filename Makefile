# make play, make test: all that is needed is Python 3.11+, make and pip.
PYTHON ?= python3
VENV ?= .venv
ARGS ?=
TIMES ?= 20
TWINS ?= 500
CANARIES ?= 500
# Tests run on all cores, handed out one by one: conftest.py puts the long ones first. There are half
# as many at once again as there are cores, for what waits for pages and servers leaves one free.
WORKERS ?= $(shell $(PYTHON) -c "import os; print((os.cpu_count() or 1) * 3 // 2)")
SHARED = -n $(WORKERS) --dist load --maxschedchunk 1
ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif

.PHONY: play test steady twins canaries soak look check bench bench-peer openapi fuzz catalogs clean

# What Python compiled is kept, whatever the environment says: each core and each of the many servers
# that tests start would compile everything anew.
test steady twins canaries soak look: export PYTHONDONTWRITEBYTECODE :=

play: $(VENV)/.played
	@$(BIN)/referee serve $(ARGS)

test: $(VENV)/.tested
	$(BIN)/python -m tests.browsers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest $(SHARED) --cov --cov-report=term $(ARGS)

# The browser tests again and again, each time in another order: one that fails now and then is
# a fault in what it tests or in itself.
steady: $(VENV)/.tested
	$(BIN)/python -m tests.browsers
	for time in $$(seq $(TIMES)); do echo "Time $$time of $(TIMES)"; $(BIN)/python -m pytest $(SHARED) -q tests/browser $(ARGS) || exit 1; done

# Twin tables that differ in a secret, by the hundred: whoever may not know it sees no difference.
twins: $(VENV)/.tested
	TWINS=$(TWINS) $(BIN)/python -m pytest $(SHARED) -q tests/test_twins.py $(ARGS)

# Secrets that read like nothing else, by the hundred games: nobody else's bytes have one.
canaries: $(VENV)/.tested
	CANARIES=$(CANARIES) $(BIN)/python -m pytest $(SHARED) -q tests/test_canaries.py $(ARGS)

# Whole games over HTTP while the server is killed 200 times, and on a disk that fills up; screens
# behind a cable that is cut for long. What needs root says so where there is none.
soak: $(VENV)/.tested
	$(BIN)/python -m tests.soak $(ARGS)
	$(BIN)/python -m tests.network.screens 5 30 120

# Every kind of question of every game at every size, in three languages: what is wrong is said, and
# build/look/index.html shows all pictures.
look: $(VENV)/.tested
	$(BIN)/python -m tests.browsers
	$(BIN)/python -m tests.walk --look build/look $(ARGS)

check: $(VENV)/.tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Every benchmark, then the goals with figure and verdict; bench-peer measures boardgame.io beside.
bench: $(VENV)/.tested
	$(BIN)/python -m benchmarks.run $(ARGS)

bench-peer: $(VENV)/.tested
	$(BIN)/python -m benchmarks.run --peer $(ARGS)

# The description of the HTTP interface, for those who read the repository.
openapi: $(VENV)/.tested
	$(BIN)/python -c "from referee.web.openapi import main; main()" > docs/openapi.json

# Thousands of requests made from that description by a tool of its own, against a server of its own.
fuzz: $(VENV)/.tested
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[fuzz]"
	$(BIN)/python -m tests.fuzz $(ARGS)

catalogs: $(VENV)/.tested
	$(BIN)/pybabel extract --omit-header --no-location --sort-output -F babel.cfg -o messages.pot referee templates
	for lang in de fr; do $(BIN)/pybabel update --omit-header --no-fuzzy-matching --ignore-obsolete -l $$lang -i messages.pot -d referee/translations || exit 1; done
	rm messages.pot
	$(BIN)/python -m referee.catalogues

# What the project needs is installed again when that changes; the stamp is written last. A venv that
# works is left as it is: another Python on the path would replace half of it.
$(VENV)/.played: pyproject.toml constraints.txt hatch_build.py referee/catalogues.py $(wildcard referee/translations/*/LC_MESSAGES/*.po)
	@$(BIN)/python -c "" 2>/dev/null || $(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

$(VENV)/.tested: $(VENV)/.played
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[test]"
	@touch $@

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
