"""The record: real models with Pads, run in every runtime beside what `tensorpad check` says of them.

SPDX-License-Identifier: MIT

Each model comes from a recipe: packages, a configuration and a seed. Nothing is downloaded but packages.
"""
