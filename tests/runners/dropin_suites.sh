#!/bin/sh
# The tests of eleven packages that pad, alone and under tensorpad.dropin: 6 GB (docs/dropin.md).
set -eu
cd "$(dirname "$0")/../.."
scripts/setup/packages.sh packages-pip
scripts/setup/venv.sh build/venv-dropin tests/runners/dropin_requirements.txt
build/venv-dropin/bin/python -m pip install --quiet --disable-pip-version-check .
exec build/venv-dropin/bin/python tests/runners/dropin_suites.py "$@"
