"""python -m tensorpad.dropin: runs a program with tensorpad.pad in the place of numpy.pad, and
reports.  SPDX-License-Identifier: MIT"""
