# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Compares the tables of two engines, cell by cell: counts, texts and times must be equal, other
numbers within one part in 1e9."""

RELATIVE = 1e-9


def same(one, two):
    if isinstance(one, float) or isinstance(two, float):
        if one is None or two is None:
            return one is two
        return abs(one - two) <= RELATIVE * max(abs(one), abs(two))
    return one == two


def differences(one, two, path=""):
    """Where two pieces of JSON differ, in words."""
    if isinstance(one, dict) and isinstance(two, dict) and one.keys() == two.keys():
        for key in one:
            yield from differences(one[key], two[key], "%s/%s" % (path, key))
    elif isinstance(one, list) and isinstance(two, list) and len(one) == len(two):
        for place, (a, b) in enumerate(zip(one, two)):
            yield from differences(a, b, "%s/%d" % (path, place))
    elif not same(one, two):
        yield "%s: DuckDB has %s, Spark %s" % (path, str(one)[:200], str(two)[:200])


def cells(value):
    if isinstance(value, dict):
        return sum(map(cells, value.values()))
    return sum(map(cells, value)) if isinstance(value, list) else 1
