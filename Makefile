# The commands of this repository; `make help` lists them. CMake does the work (CMakePresets.json). What is seldom
# used is a script: bench/run.sh, conformance/run.sh, tests/runners/run.py, scripts/wheels/make.sh.
#
# `make demo`, `make test`, `make test-full` and `make test-all` install the Debian packages that are missing,
# and say which. `make` goes on if cmake and a compiler are there, and says what is then left out. All other
# targets say what is missing and how to get it, and stop.

PREFIX ?= /usr/local
data := build/data
venv := build/venv
generator := build/venv-site
downloads := data downloads packages-* venv* axe hosts prettier pyright typescript sarif runtimes extras wheels-work
export CMAKE_GENERATOR ?= $(if $(shell command -v ninja),Ninja,Unix Makefiles)
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(shell nproc)

.PHONY: all help demo test test-full test-all install wheels npm firmware kit site bench clean
.NOTPARALLEL:
demo test test-full test-all: may_install = --install

## make              the command build/tensorpad, build/libtensorpad.a and build/libtensorpad.so
all:
	@scripts/setup/packages.sh --optional packages-build
	@[ '$(origin CC)' = default ] || [ '$(CC)' = "$$(cat build/CMakeFiles/CC 2> /dev/null)" ] || \
	    { rm -rf build/CMakeCache.txt build/CMakeFiles; mkdir -p build/CMakeFiles; echo '$(CC)' > build/CMakeFiles/CC; }
	cmake --preset default -DTENSORPAD_TESTS=OFF -Wno-dev
	cmake --build build

help:
	@sed -n 's/^## \{0,1\}//p' Makefile

## make demo         real models and a photograph, padded
demo: build/packages-demo $(venv)/demo all
	scripts/setup/fetch-data.sh $(data) $(venv)/bin/python
	scripts/demo.sh build/tensorpad $(data) build/demo $(venv)/bin/python

## make test         the tests of a change (docs/development/verification.md says what each part shows)
test: build/packages-test $(venv)/test
	scripts/setup/fetch-data.sh $(data) $(venv)/bin/python
	scripts/setup/from_npm.sh prettier 3.10.1 build/prettier
	tests/runners/run.py test

## make test-full    what guards the main branch, `make test` included: half an hour
test-full: build/packages-full $(venv)/full build/downloads
	tests/runners/run.py full

## make test-all     everything: hours
test-all: build/packages-all $(venv)/full build/downloads
	tests/runners/run.py all

## make install      command with its page for `man`, libraries, headers and licence into PREFIX=/usr/local
install: all
	cmake --install build --prefix $(PREFIX)

## make wheels       build/wheels: wheels for x86-64, tested (docs/development/wheels.md)
wheels: build/packages-wheels
	scripts/wheels/make.sh

## make npm          build/npm: the package for JavaScript
npm: build/packages-npm
	scripts/javascript/npm.py

## make firmware     build/firmware: the small build for Arduino, PlatformIO, Zephyr, ESP-IDF, CMSIS and CMake
firmware: build/packages-script
	rm -rf build/firmware
	scripts/firmware/make.py build/firmware

## make kit          build/pad-kit: cases of Pad for any runtime, the same bytes every time
kit: build/packages-python $(venv)/kit
	$(venv)/bin/python conformance/kit.py make build/pad-kit

## make site         build/site/site: README.md, docs/ and the playground, with search; every link is followed
site: build/packages-site kit all
	scripts/setup/venv.sh $(generator) scripts/docs/requirements.txt
	scripts/javascript/playground.py
	rm -rf build/pages
	$(venv)/bin/python conformance/kit.py page
	$(venv)/bin/python scripts/docs/pictures.py build/tensorpad
	$(generator)/bin/python scripts/docs/site.py
	@echo "to read and search it: python3 -m http.server -d build/site/site"

## make bench        time of a run divided by the time of a memcpy of its output; bench/run.sh has the others
bench: all
	build/tensorpad bench

## make clean        removes what was built; downloads stay
clean:
	@[ ! -d build ] || find build -mindepth 1 -maxdepth 1 $(foreach name,$(downloads),! -name '$(name)') \
	    -exec rm -rf {} +

build/packages-%: scripts/setup/packages.sh
	@scripts/setup/packages.sh $(may_install) $(@F)
	@mkdir -p build && touch $@

# build/venv has the Python packages of a tier, kept in tests/requirements/TIER.txt; each contains the one before.
$(venv)/%: $(wildcard tests/requirements/*.txt) | build/packages-python
	[ -x $(venv)/bin/python ] || python3 -m venv $(venv)
	$(venv)/bin/python -m pip install --quiet --disable-pip-version-check -r tests/requirements/$*.txt
	touch $@

# What the tests use of npm, and models and photographs
build/downloads: scripts/setup/from_npm.sh scripts/setup/fetch-data.sh | $(venv)/full
	scripts/setup/fetch-data.sh $(data) $(venv)/bin/python
	scripts/setup/from_npm.sh prettier 3.10.1 build/prettier
	scripts/setup/from_npm.sh pyright 1.1.414 build/pyright
	scripts/setup/from_npm.sh typescript 5.9.3 build/typescript
	scripts/setup/from_npm.sh axe-core 4.14.1 build/axe
	scripts/setup/from_npm.sh @microsoft/jest-sarif 1.0.0-beta.0 build/sarif
	touch $@
