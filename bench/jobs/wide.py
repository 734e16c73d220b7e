# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Rows of 21 columns, for the jobs that read some of them."""

COLUMNS = ["c%02d" % number for number in range(21)]
# Spread over the file, so that each is a range of its own.
THREE = [COLUMNS[number] for number in (2, 9, 16)]


def column(number):
    """By turns whole numbers, fractions and texts, none of which can be compressed much."""
    hashed = "xxhash64(id, %d)" % number
    kinds = (hashed, "%s / 1e9D" % hashed, "substr(hex(%s), 1, 12)" % hashed)
    return "%s AS %s" % (kinds[number % 3], COLUMNS[number])
