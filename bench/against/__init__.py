"""The parts of bench/rivals.py.  SPDX-License-Identifier: MIT"""
