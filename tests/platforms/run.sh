#!/bin/sh
# The wheel for Windows, its command and the package's tests under Wine; what links for macOS.
set -eu
cd "$(dirname "$0")/../.."
scripts/setup/packages.sh packages-platforms
make all
scripts/wheels/make.sh win_amd64
scripts/setup/fetch-data.sh build/data build/wheels-work/venv/bin/python
tests/platforms/wine.py build/wheels/tensorpad-*-win_amd64.whl
scripts/wheels/make.sh macosx_11_0_arm64
tests/platforms/macos.sh
