#!/bin/sh
# Compiles the engine to WebAssembly, for the npm package and the playground: build/javascript/*.wasm
set -eu
cd "$(dirname "$0")/../.."
mkdir -p build/javascript
cmake -S javascript -B build/javascript -G Ninja --toolchain wasm32.cmake -Wno-dev --no-warn-unused-cli \
    > build/javascript/configure.log || { cat build/javascript/configure.log; exit 1; }
cmake --build build/javascript -- --quiet
