# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""A store whose connections have a limited speed, as those of S3 have, for benchmarks that read."""

import argparse
import contextlib

import harness
from harness import say


def options(parser):
    parser.set_defaults(latency="40ms")
    parser.add_argument("--bandwidth", default="30M", metavar="SIZE",
                        help="a second, of a connection; 'none' has no limit (default: %(default)s)")
    parser.add_argument("--slots", type=int, default=2, metavar="N",
                        help="tasks at once (default: %(default)s)")


@contextlib.contextmanager
def store(given, ours, make, *more):
    """The store in its weather, with the data that make(store) puts into it. They are made in calm,
    except in the embedded S3, which forgets everything when the weather changes."""
    shape = [] if given.bandwidth == "none" else ["--bandwidth", given.bandwidth]
    with harness.server(given) as server:
        if server.upstream:
            calm = argparse.Namespace(**{**vars(given), "latency": "none"})
            with harness.weather(calm, server, ours) as calm_store:
                say("  making the data")
                make(calm_store)
        with harness.weather(given, server, ours, *shape, *more) as shaped:
            if not server.upstream:
                say("  making the data")
                make(shaped)
            yield shaped
