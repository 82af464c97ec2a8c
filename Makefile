# The commands of this repository. CMake does the work (CMakePresets.json).
#
#   make        the command build/tensorpad, build/libtensorpad.a and build/libtensorpad.so
#   make demo   real models and a photograph, padded
#   make test   the tests: 30 to 45 minutes on two cores
#   make kit    build/pad-kit: conformance cases of Pad for any runtime (kit/README.md)
#   make npm    build/npm: the package for JavaScript; make playground: a page to try everything in
#
# `make demo` and `make test` install the Debian packages that are missing, and say which. All other
# targets only say what is missing and how to get it.

CASES ?= 100000000
SECONDS ?= 60
THREADS ?= 1
ROUNDS ?= 7
SEED ?= $(shell date +%s)
FORETOLD := ort-1.31 ort-1.23 opencv-5.0 openvino-2026.4 tract-0.23
PREFIX ?= /usr/local
data := build/data
venv := build/venv
rivals := build/venv-rivals
dropin := build/venv-dropin
generator := build/venv-site
rivals_js := build/rivals-javascript
rivals_build := $(if $(KERNELS),build/variants,build)

.PHONY: all demo test kit survey ort-versions test-all exhaustive prove fuzz mutation machines levels windows size \
    release-check amalgamation bench bench-check bench-variants bench-sweeps bench-read bench-rivals bench-fits \
    bench-chunks bench-javascript forced \
    coverage dropin-suites wheels wheels-all npm playground site install clean
demo test: may_install = --install
all: build/packages-build
	cmake --preset default -DTENSORPAD_TESTS=OFF -Wno-dev
	cmake --build build

demo: all $(venv)/done
	scripts/setup/fetch-data.sh $(data) $(venv)/bin/python
	scripts/demo.sh build/tensorpad $(data) build/demo $(venv)/bin/python

test: build/packages-test $(venv)/done
	scripts/setup/fetch-data.sh $(data) $(venv)/bin/python
	scripts/setup/from_npm.sh pyright 1.1.414 build/pyright
	scripts/setup/from_npm.sh typescript 5.9.3 build/typescript
	scripts/setup/from_npm.sh axe-core 4.14.1 build/axe
	scripts/setup/sarif.sh build/sarif
	scripts/test/all.sh

# Conformance cases of Pad for any runtime (kit/README.md): the same bytes every time
kit: build/packages-test $(venv)/done
	$(venv)/bin/python kit/make.py build/pad-kit

# The kit in every runtime that can be installed: writes kit/outcomes. They come into the build folder:
# 4 GB. A new version is a line in kit/runtimes
#
# Then the operators that `tensorpad lower` may use: kit/outcomes/operators and the table in rules/
#
# Then models that a new SEED draws: how often `tensorpad check` tells what five runtimes do with them, and how
# often they are right after `tensorpad lower`, which the kit and whole models show, too (docs/lower.md)
survey: kit all
	$(venv)/bin/python kit/survey.py all --install
	$(venv)/bin/python kit/page.py
	$(venv)/bin/python kit/operators.py make build/pad-operators
	$(venv)/bin/python kit/operators.py run build/pad-operators all
	$(venv)/bin/python kit/operators.py table
	cmake --build build
	$(venv)/bin/python kit/random_pads.py $(SEED) 600 build/pad-random
	for target in $(FORETOLD); do \
	    $(venv)/bin/python kit/survey.py $$target --kit build/pad-random \
	        --out build/pad-random/$$target.json || exit 1; \
	done
	$(venv)/bin/python kit/predict.py build/tensorpad build/pad-random build/pad-random/*-*.json
	scripts/setup/fetch-data.sh $(data) $(venv)/bin/python
	$(venv)/bin/python kit/lower.py $(SEED) 500
	$(venv)/bin/python kit/lower_models.py

# All of it, and what `make test` has no time for: other machines, levels of optimisation,
# Windows, proofs, mutants, ten minutes of fuzzing
test-all: export TENSORPAD_KILLS = 20
test-all: export TENSORPAD_LONG = 1
test-all: build/packages-test-all
	$(MAKE) test
	$(MAKE) machines
	$(MAKE) levels
	$(MAKE) windows
	$(MAKE) prove
	$(MAKE) mutation
	$(MAKE) fuzz SECONDS=75
	$(MAKE) ort-versions

# The kit and random nodes in four versions of ONNX Runtime, with the plug-in and without it: status 1
# where a count is another than recorded. WRITE=1 records them, and writes the table of docs/onnxruntime.md
ort-versions: kit all
	for target in ort-1.17 ort-1.20 ort-1.23 ort-1.31; do \
	    $(venv)/bin/python kit/survey.py $$target --install --cases test_example_constant_25 > /dev/null || exit 1; \
	done
	$(venv)/bin/python kit/plugin/conformance.py build/libtensorpad_ort.so $(if $(WRITE),--write)

# All that a release needs (CONTRIBUTING.md): as root, about an hour
release-check: build/packages-release $(venv)/done all
	scripts/release/check.sh

# The library as one file: compilers, levels of optimisation and sizes of tables, each with each
levels: build/packages-test
	cmake --preset default -DTENSORPAD_TESTS=OFF -Wno-dev
	cmake --build build --target tensorpad
	scripts/check/levels.sh all build

# The library for Windows, by a cross compiler: what it exports and imports
windows: build/packages-windows
	scripts/check/windows.sh

# Every small problem on one axis, then CASES random ones, against the oracle
exhaustive: build/packages-test
	CASES=$(CASES) scripts/test/exhaustive.sh

# The contracts in src/core, by Frama-C
prove: build/packages-prove
	proof/prove.sh

# Every fuzz target for SECONDS seconds, two at a time; what is found is kept in fuzz/regressions
fuzz: build/packages-test $(venv)/done
	scripts/test/fuzz.sh $(SECONDS)

# Faults put into core, dialects and fit (tests/system/mutation), and which of them the tests find
mutation: build/packages-test $(venv)/done
	scripts/test/mutation.sh

# The C tests on other processors, most of them emulated
machines: build/packages-machines
	scripts/test/machines.sh

# Code, constants and stack for microcontrollers; status 1 beyond the limits
size: build/packages-size
	scripts/check/size.py

# The library as two files: build/amalgamation/tensorpad.c and tensorpad.h
amalgamation:
	scripts/amalgamate.py build/amalgamation

# Time of a run divided by the time of a memcpy of its output
bench: all
	build/tensorpad bench

# The workloads with each variant of the kernels, forced one after the other, and without tables:
# writes the table of docs/performance.md, and docs/performance.svg. ROUNDS=3 is faster
bench-variants: forced
	bench/variants.py --tableless build/tableless --rounds $(ROUNDS) --write docs/performance.md \
	    --plot docs/performance.svg

# All short rows with each variant, for the second table of that page: many minutes
bench-sweeps: forced
	bench/variants.py --tableless build/tableless --sweep --write docs/performance.md

# Two builds in which TENSORPAD_KERNELS in the environment names the kernels; one has no tables
forced: build/packages-build
	for kind in variants tableless; do \
	    flags=; test $$kind = variants || flags=-DTPAD_TABLE_BYTES=0; \
	    cmake -S . -B build/$$kind -G Ninja -DCMAKE_BUILD_TYPE=Release -DTENSORPAD_TESTS=OFF \
	        -DTENSORPAD_KERNELS_ENV=ON -DCMAKE_C_FLAGS=$$flags -Wno-dev && \
	    cmake --build build/$$kind --target tensorpad_command tensorpad_shared \
	        tensorpad_threads_shared || exit 1; \
	done

# A run and a reader of its output straight afterwards, for each flag that says when it is read;
# WRITE=1 puts the table into docs/performance.md
bench-read: all
	cmake --build build --target read_after
	build/read_after $(if $(WRITE),| bench/pages.py read docs/performance.md)

# Instructions of ten workloads against the record; UPDATE=1 writes the record
bench-check: all build/packages-bench
	cmake --build build --target instructions
	bench/instructions.py build/instructions $(if $(UPDATE),--update)

# The same workloads with tensorpad and with six other libraries (docs/rivals.md), which come into
# the build folder: 6 GB. KERNELS=avx2 forces tensorpad's kernels and says so;
# WRITE=1 puts table and picture into docs
bench-rivals: $(if $(KERNELS),forced,all) $(rivals)/done
	cmake --build $(rivals_build) --target tensorpad_threads_shared
	$(rivals)/bin/python bench/rivals.py --build $(rivals_build) --threads $(THREADS) \
	    $(if $(KERNELS),--kernels $(KERNELS)) --json build/rivals.json --plot $(if $(WRITE),docs,build) \
	    $(if $(WRITE),--write docs/performance.md)

# Ragged batches and pads to a size, with the Python package and with what people use (docs/rivals.md);
# WRITE=1 puts the table into that page
bench-fits: build/packages-build $(rivals)/done
	$(rivals)/bin/python -m pip install --quiet --disable-pip-version-check .
	$(rivals)/bin/python bench/fits.py $(if $(WRITE),--write docs/rivals.md)

# Pads and overlaps of arrays in chunks, beside dask's own (docs/chunks.md): half an hour with nine runs,
# ROUNDS=1 for a first look. WRITE=1 puts the tables into that page
bench-chunks: ROUNDS = 9
bench-chunks: build/packages-build $(venv)/done
	$(venv)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-index \
	    --no-build-isolation --upgrade --target build/python-bench .
	PYTHONPATH=build/python-bench $(venv)/bin/python bench/chunks.py --rounds $(ROUNDS) \
	    $(if $(WRITE),--write docs/chunks.md)
	PYTHONPATH=build/python-bench $(venv)/bin/python bench/dask_pads.py \
	    $(if $(WRITE),--write docs/chunks.md)

# Ten workloads with the npm package, a plain loop, onnxruntime-web and tfjs in Node (docs/javascript.md);
# the two come into the build folder: 200 MB. WRITE=1 puts the table into that page
bench-javascript: all npm $(rivals_js)/done
	npm install --prefix $(rivals_js) --no-save --no-audit --no-fund build/npm/tensorpad-*.tgz
	bench/javascript.py $(rivals_js) $(if $(WRITE),--write docs/javascript.md)

# Lines and branches that the tests reach; status 1 below what docs/verification.md claims
coverage: build/packages-test $(venv)/done
	scripts/test/coverage.sh

# The own tests of scikit-image, librosa and xarray that pad, alone and under tensorpad.dropin: the same
# outcomes, and no call of pad that differs (docs/dropin.md). They come into the build folder: 900 MB
dropin-suites: build/packages-build $(dropin)/done
	$(dropin)/bin/python -m pip install --quiet --disable-pip-version-check .
	$(dropin)/bin/python scripts/test/dropin_suites.py

# Wheels for x86-64 that ask nothing of the system (docs/wheels.md): build/wheels. As root, they are
# tested in bare Debians too
wheels: build/packages-wheels
	scripts/wheels/make.sh

# The same, and for 64-bit ARM, and the source distribution
wheels-all: build/packages-wheels
	scripts/wheels/make.sh --all

# The npm package, with the engine as WebAssembly: build/npm. Needs npm, and no network
npm: build/packages-javascript
	scripts/javascript/npm.sh

# A page to try everything in, with the engine as WebAssembly: build/playground/index.html, one file
# that needs no server and no network. Needs clang and lld
playground: build/packages-javascript
	scripts/javascript/modules.sh
	scripts/javascript/playground.py build/javascript/playground.wasm build/playground/index.html

# README.md, docs/ and the playground as a site with search: build/site/site. Every link and anchor is
# followed. The generator comes into the build folder once; after that no network is needed
site: build/packages-site playground $(generator)/done
	$(generator)/bin/python scripts/docs/site.py
	@echo "to read and search it: python3 -m http.server -d build/site/site"

install: all
	cmake --install build --prefix $(PREFIX)

clean:
	rm -rf build

build/packages-%: scripts/setup/packages.sh
	@scripts/setup/packages.sh $(may_install) $(@F)
	@mkdir -p build && touch $@

$(venv)/done: tests/requirements.txt | build/packages-test
	python3 -m venv $(venv)
	$(venv)/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	touch $@

$(generator)/done: scripts/docs/requirements.txt | build/packages-site
	python3 -m venv $(generator)
	$(generator)/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	touch $@

$(dropin)/done: scripts/test/dropin_requirements.txt
	python3 -m venv $(dropin)
	$(dropin)/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	touch $@

$(rivals_js)/done: bench/javascript/package.json
	mkdir -p $(rivals_js) && cp $< $(rivals_js)
	npm install --prefix $(rivals_js) --ignore-scripts --no-audit --no-fund
	touch $@

# A package that cannot be installed here is left out.
$(rivals)/done: bench/requirements.txt | build/packages-test
	python3 -m venv $(rivals)
	grep -v '^#' $< | while read -r package; do \
	    $(rivals)/bin/python -m pip install --quiet --disable-pip-version-check -c $< "$$package" \
	        || echo "$$package cannot be installed: going on without it" >&2; \
	done
	touch $@
