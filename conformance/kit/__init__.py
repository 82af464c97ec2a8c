"""Conformance cases of Pad: what they are, their expected results, and how they are written."""
