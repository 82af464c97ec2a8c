# The commands of this repository; `make help` lists them. CMake does the work (CMakePresets.json).
#
# `make demo`, `make test`, `make test-full` and `make test-all` install the Debian packages that are missing,
# and say which. `make` goes on if cmake and a compiler are there, and says what is then left out. All other
# targets say what is missing and how to get it, and stop.

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
downloads := data downloads packages-* venv* axe hosts prettier pyright typescript sarif runtimes extras wheels-work \
    rivals-javascript
rivals_build := $(if $(KERNELS),build/variants,build)
export CMAKE_GENERATOR ?= $(if $(shell command -v ninja),Ninja,Unix Makefiles)
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(shell nproc)

.PHONY: all help demo test test-full test-all kit survey models ort-versions exhaustive prove fuzz mutation machines \
    levels platforms size release-check amalgamation firmware bench bench-check bench-variants bench-sweeps bench-read \
    bench-busy bench-rivals bench-fits bench-adjoint bench-torch bench-chunks bench-javascript forced coverage dropin-suites extras hosts wheels \
    wheels-all npm playground site install clean distclean
.NOTPARALLEL:
demo test test-full test-all: may_install = --install

## Build
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

## make install      command with its page for `man`, libraries, headers and licence into PREFIX=/usr/local
install: all
	cmake --install build --prefix $(PREFIX)

## make amalgamation the library as two files: build/amalgamation/tensorpad.c and tensorpad.h
amalgamation: build/packages-script
	scripts/amalgamate.py build/amalgamation

## make firmware     build/firmware: the small build for Arduino, PlatformIO, Zephyr, ESP-IDF, CMSIS and CMake
firmware: build/packages-script
	rm -rf build/firmware
	scripts/firmware/make.py build/firmware

## make clean        removes what was built; downloads stay. make distclean removes the downloads too
clean:
	@[ ! -d build ] || find build -mindepth 1 -maxdepth 1 $(foreach name,$(downloads),! -name '$(name)') \
	    -exec rm -rf {} +

distclean:
	rm -rf build

##
## Packages
## make wheels       build/wheels: wheels for x86-64 that ask nothing of the system (docs/development/wheels.md). As root,
##                   they are tested in bare Debians too
wheels: build/packages-wheels
	scripts/wheels/make.sh

## make wheels-all   the same, and for 64-bit ARM, Windows and macOS, and the source distribution
wheels-all: build/packages-wheels
	scripts/wheels/make.sh --all

## make npm          build/npm: the package for JavaScript. Needs npm, and no network
npm: build/packages-npm
	scripts/javascript/npm.sh

## make playground   build/playground/index.html: a page to try everything in, one file
playground: build/packages-javascript
	scripts/javascript/modules.sh
	scripts/javascript/playground.py build/javascript/playground.wasm build/playground/index.html

## make site         build/site/site: README.md, docs/ and the playground, with search; all options and all faults
# Every link and anchor is followed. The generator comes into the build folder once; after that no network
# is needed.
site: build/packages-site playground kit all $(generator)/done
	rm -rf build/pages
	$(venv)/bin/python conformance/write_page.py
	$(venv)/bin/python scripts/docs/pictures.py build/tensorpad
	$(generator)/bin/python scripts/docs/site.py
	@echo "to read and search it: python3 -m http.server -d build/site/site"

##
## Test (docs/development/verification.md says what each part shows)
## make test         the tests of a change: 8 minutes on two processors
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

## make coverage     lines and branches that the tests reach; status 1 below what docs/development/verification.md claims
coverage: build/packages-full $(venv)/full
	tests/runners/coverage.sh

## make levels       the library as one file: compilers, levels of optimisation and sizes of tables
levels: build/packages-full
	cmake --preset default -DTENSORPAD_TESTS=OFF -Wno-dev
	cmake --build build --target tensorpad
	scripts/check/levels.sh build

## make machines     the C tests on other processors, most of them emulated
# MACHINES="s390x cortex-m4" for some of them.
MACHINES ?= armv7 aarch64 s390x x86-32 x86-64-Haswell x86-64-Conroe x86-64-qemu64 cortex-m3 cortex-m4 cortex-m7 \
    cortex-m55 riscv32 riscv64 arc-hs
machines: build/packages-machines
	for machine in $(MACHINES); do \
	    cmake -S tests/machines -B build/machines/$$machine -DMACHINE=$$machine && \
	    cmake --build build/machines/$$machine && \
	    ctest --test-dir build/machines/$$machine --output-on-failure -j $(CMAKE_BUILD_PARALLEL_LEVEL) || exit 1; \
	done

## make platforms    the wheel for Windows, its command and the package's tests under Wine; all links for macOS
platforms: build/packages-platforms all
	scripts/wheels/build.sh win_amd64
	scripts/setup/fetch-data.sh build/data build/wheels-work/venv/bin/python
	tests/platforms/wine.py build/wheels/tensorpad-*-win_amd64.whl
	scripts/wheels/build.sh macosx_11_0_arm64
	tests/platforms/macos.sh

## make size         code, constants and stack for microcontrollers; status 1 beyond the record; UPDATE=1 writes it
size: build/packages-size
	scripts/check/size.py $(if $(UPDATE),--write)

## make exhaustive   every small problem on one axis, then CASES random ones, against the oracle
exhaustive: build/packages-full
	CASES=$(CASES) tests/runners/exhaustive.sh

## make prove        the contracts in src/core, by Frama-C
prove: build/packages-prove
	src/core/proof/prove.sh

## make fuzz         every fuzz target for SECONDS seconds; what is found is kept in tests/fuzz/regressions
fuzz: build/packages-full
	tests/fuzz/fuzz.sh $(SECONDS)

## make mutation     faults put into the library's sources (tests/mutation): how many the tests find
# COUNT=130 takes so many of them, chosen anew each day.
mutation: build/packages-full
	tests/mutation/mutation.sh $(if $(COUNT),--count $(COUNT))

## make dropin-suites  tests of eleven packages that pad, alone and under tensorpad.dropin
# The same outcomes, and no call of pad that differs (docs/python-reference.md). They come into the build folder: 6 GB.
dropin-suites: build/packages-pip $(dropin)/done
	$(dropin)/bin/python -m pip install --quiet --disable-pip-version-check .
	$(dropin)/bin/python tests/runners/dropin_suites.py

## make extras       the oldest and the newest dask, zarr and torch that pyproject.toml allows: 10 GB
extras: build/packages-full $(venv)/full
	tests/runners/python.sh -k test_package
	tests/runners/extras.py

## make hosts        the npm package in fresh projects of every bundler, runtime and test runner: 3 GB
# WRITE=1 writes the tables of docs/javascript.md.
hosts: build/packages-hosts npm
	javascript/hosts/run.py $(if $(WRITE),--write docs/javascript.md)

## make release-check  all that a release needs (CONTRIBUTING.md): as root, about an hour
release-check: build/packages-release $(venv)/full build/downloads all
	scripts/release/check.sh

##
## Conformance of runtimes (conformance/README.md)
## make kit          build/pad-kit: cases of Pad for any runtime, the same bytes every time
kit: build/packages-python $(venv)/kit
	$(venv)/bin/python conformance/make.py build/pad-kit

## make ort-versions the kit and random nodes in five versions of ONNX Runtime: without the plug-in, with it, prepared
# Status 1 where a count is another than recorded. WRITE=1 records them, and writes the table of
# docs/onnxruntime.md.
ort-versions: build/packages-demo kit all $(venv)/test
	for target in ort-1.17 ort-1.20 ort-1.23 ort-1.31 ort-1.32; do \
	    $(venv)/bin/python conformance/survey.py $$target --install --cases test_example_constant_25 > /dev/null || exit 1; \
	done
	$(venv)/bin/python conformance/plugin/with_and_without.py build/libtensorpad_ort.so build/tensorpad $(if $(WRITE),--write)

## make models       200 real models with Pads, in every runtime, beside what `check` and `lower` say: half an hour
# torch, timm, torchvision and transformers make them (12 GB with the runtimes). Then 2,000 random graphs
# around a Pad, of a new SEED. Status 1 if more than 1 % of
# the verdicts about a runtime are wrong, or one is `same` where the runtime is not right. WRITE=1 writes the
# table of docs/check.md.
recorded := onnx-reference-1.23 ort-1.17 ort-1.20 ort-1.23 ort-1.31 ort-1.32 openvino-2024.6 openvino-2025.4 \
    openvino-2026.4 opencv-4.6 opencv-4.10 opencv-4.14 opencv-5.0 tract-0.21 tract-0.22 tract-0.23
folding := ort-1.31 tract-0.23 openvino-2026.4 opencv-5.0
models: build/packages-demo all
	test -x build/venv-models/bin/python || python3 -m venv build/venv-models
	build/venv-models/bin/python -m pip install --quiet --disable-pip-version-check \
	    -r conformance/realmodels/requirements.txt
	build/venv-models/bin/python conformance/real_models.py make build/models
	build/venv-models/bin/python conformance/real_models.py run build/models $(recorded)
	build/venv-models/bin/python conformance/real_models.py lower build/models build/tensorpad $(recorded)
	build/venv-models/bin/python conformance/real_models.py table build/models build/tensorpad \
	    $(if $(WRITE),--write)
	build/venv-models/bin/python conformance/real_models.py random build/random-graphs $(SEED) 2000
	build/venv-models/bin/python conformance/real_models.py run build/random-graphs $(recorded)
	build/venv-models/bin/python conformance/real_models.py lower build/random-graphs build/tensorpad $(recorded)
	build/venv-models/bin/python conformance/real_models.py fold build/random-graphs build/tensorpad $(folding)
	build/venv-models/bin/python conformance/real_models.py table build/random-graphs build/tensorpad

## make survey       the kit in every runtime that can be installed: writes conformance/outcomes.zip
# They come into the build folder: 4 GB. With NEW=onnxruntime==1.33.0 that version alone: it is written into
# its adapter, and what differs from the version before it is printed, with a draft for tools/runtimes.
#
# Then the operators that `tensorpad lower` may use: what comes out, and the table in tools/runtimes; with
# NEW also which nodes it runs right with pads of their own
#
# Then models that a new SEED draws: how often `tensorpad check` tells what five runtimes do with them
survey: build/packages-demo kit all $(venv)/test
ifdef NEW
	$(venv)/bin/python conformance/replacement_operators.py make build/pad-operators
	$(venv)/bin/python conformance/new_version.py $(NEW) build/pad-kit build/pad-operators
else
	$(venv)/bin/python conformance/survey.py all --install
	$(venv)/bin/python conformance/shown_answers.py
	$(venv)/bin/python conformance/write_page.py
	$(venv)/bin/python conformance/replacement_operators.py make build/pad-operators
	$(venv)/bin/python conformance/replacement_operators.py run build/pad-operators all
	$(venv)/bin/python conformance/replacement_operators.py table
	cmake --build build
	$(venv)/bin/python conformance/random_pads.py $(SEED) 600 build/pad-random
	for target in $(FORETOLD); do \
	    $(venv)/bin/python conformance/survey.py $$target --kit build/pad-random \
	        --out build/pad-random/$$target.json || exit 1; \
	done
	$(venv)/bin/python conformance/predicted_cases.py build/tensorpad build/pad-random build/pad-random/*-*.json
endif

##
## Speed (docs/performance.md)
## make bench        time of a run divided by the time of a memcpy of its output
bench: all
	build/tensorpad bench

## make bench-check  instructions of ten workloads against the record; UPDATE=1 writes the record
bench-check: build/packages-bench all
	cmake --build build --target instructions
	bench/instructions.py build/instructions $(if $(UPDATE),--update)

## make bench-variants  the workloads with each variant of the kernels, forced, and without tables
# Draws build/performance.svg; WRITE=1 puts the table into docs/performance.md, and so it is with other
# benchmarks. ROUNDS=3 is faster.
bench-variants: forced
	bench/variants.py --tableless build/tableless --rounds $(ROUNDS) --plot build/performance.svg \
	    $(if $(WRITE),--write docs/performance.md)

## make bench-sweeps    all short rows with each variant: many minutes
bench-sweeps: forced
	bench/variants.py --tableless build/tableless --sweep

# Two builds in which TENSORPAD_KERNELS in the environment names the kernels; one has no tables
forced: build/packages-build
	for kind in variants tableless; do \
	    flags=; test $$kind = variants || flags=-DTPAD_TABLE_BYTES=0; \
	    cmake -S . -B build/$$kind -DCMAKE_BUILD_TYPE=Release -DTENSORPAD_TESTS=OFF \
	        -DTENSORPAD_KERNELS_ENV=ON -DCMAKE_C_FLAGS=$$flags -Wno-dev && \
	    cmake --build build/$$kind --target tensorpad_command tensorpad_shared \
	        tensorpad_threads_shared || exit 1; \
	done

## make bench-read      a run and a reader of its output straight afterwards, for each flag
bench-read: build/packages-build all
	cmake --build build --target read_after
	build/read_after

## make bench-busy      what threads gain, and what they cost beside processes that spin
bench-busy: build/packages-build all
	cmake --build build --target busy
	build/busy

## make bench-rivals    the same workloads with tensorpad and six other libraries (docs/performance.md): 6 GB
# KERNELS=avx2 forces tensorpad's kernels and says so.
bench-rivals: build/packages-demo $(if $(KERNELS),forced,all) $(rivals)/done
	cmake --build $(rivals_build) --target tensorpad_threads_shared
	$(rivals)/bin/python bench/rivals.py --build $(rivals_build) --threads $(THREADS) \
	    $(if $(KERNELS),--kernels $(KERNELS)) --json build/rivals.json --plot build \
	    $(if $(WRITE),--write docs/performance.md)

## make bench-fits      ragged batches and pads to a size, with the Python package and what people use
bench-fits: build/packages-pip $(rivals)/done
	$(rivals)/bin/python -m pip install --quiet --disable-pip-version-check .
	$(rivals)/bin/python bench/fits.py

## make bench-adjoint   gradients of pads, beside a copy and torch's backward
bench-adjoint: build/packages-pip $(rivals)/done
	$(rivals)/bin/python -m pip install --quiet --disable-pip-version-check .
	$(rivals)/bin/python bench/adjoint.py

## make bench-torch     tensorpad.torch beside torch.nn.functional.pad, forward and backward
bench-torch: build/packages-pip $(rivals)/done
	$(rivals)/bin/python -m pip install --quiet --disable-pip-version-check .
	$(rivals)/bin/python bench/torch_pads.py $(if $(WRITE),--write docs/torch.md)

## make bench-chunks    pads and overlaps of arrays in chunks, beside dask's own: half an hour
# ROUNDS=1 for a first look.
bench-chunks: ROUNDS = 9
bench-chunks: build/packages-pip $(venv)/test
	$(venv)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-index \
	    --no-build-isolation --upgrade --target build/python-bench .
	PYTHONPATH=build/python-bench $(venv)/bin/python bench/chunks.py --rounds $(ROUNDS)
	PYTHONPATH=build/python-bench $(venv)/bin/python bench/dask_pads.py

## make bench-javascript  ten workloads with the npm package, a loop, onnxruntime-web and tfjs in Node: 200 MB
bench-javascript: build/packages-node all npm $(rivals_js)/done
	npm install --prefix $(rivals_js) --no-save --no-audit --no-fund build/npm/tensorpad-*.tgz
	bench/javascript.py $(rivals_js) $(if $(WRITE),--write docs/javascript.md)

build/packages-%: scripts/setup/packages.sh
	@scripts/setup/packages.sh $(may_install) $(@F)
	@mkdir -p build && touch $@

# build/venv has the Python packages of a tier, kept in tests/requirements/TIER.txt; each contains the one before.
$(venv)/bin/python: | build/packages-python
	python3 -m venv $(venv)

$(venv)/%: $(wildcard tests/requirements/*.txt) | $(venv)/bin/python
	$(venv)/bin/python -m pip install --quiet --disable-pip-version-check -r tests/requirements/$*.txt
	touch $@

# What the tests use of npm, and models and photographs
build/downloads: scripts/setup/from_npm.sh scripts/setup/sarif.sh scripts/setup/fetch-data.sh | $(venv)/full
	scripts/setup/fetch-data.sh $(data) $(venv)/bin/python
	scripts/setup/from_npm.sh prettier 3.10.1 build/prettier
	scripts/setup/from_npm.sh pyright 1.1.414 build/pyright
	scripts/setup/from_npm.sh typescript 5.9.3 build/typescript
	scripts/setup/from_npm.sh axe-core 4.14.1 build/axe
	scripts/setup/sarif.sh build/sarif
	touch $@

$(generator)/done: scripts/docs/requirements.txt | build/packages-python
	python3 -m venv $(generator)
	$(generator)/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	touch $@

$(dropin)/done: tests/runners/dropin_requirements.txt | build/packages-python
	python3 -m venv $(dropin)
	$(dropin)/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	touch $@

$(rivals_js)/done: bench/javascript/package.json
	mkdir -p $(rivals_js) && cp $< $(rivals_js)
	npm install --prefix $(rivals_js) --ignore-scripts --no-audit --no-fund
	touch $@

# A package that cannot be installed here is left out.
$(rivals)/done: bench/requirements.txt | build/packages-python
	python3 -m venv $(rivals)
	grep -v '^#' $< | while read -r package; do \
	    $(rivals)/bin/python -m pip install --quiet --disable-pip-version-check -c $< "$$package" \
	        || echo "$$package cannot be installed: going on without it" >&2; \
	done
	touch $@
