"""The nodes that stand before and behind a Pad in cases of Pad in company.

SPDX-License-Identifier: MIT
"""

AROUND = {}
