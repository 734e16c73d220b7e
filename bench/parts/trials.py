# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""One job in one weather, again and again: what the benchmarks of the request engine share."""

import collections
import contextlib
import json
import pathlib
import shutil
import time

import harness
import variants
from harness import number, say

Setup = collections.namedtuple("Setup", "given python where ours s3a server")


def parser(description, names, runs, files, rows, runs_help):
    made = harness.parser(description, "variants:\n" + "\n".join(
        "  %-17s %s" % (name, variants.ALL[name][0]) for name in names))
    harness.common_options(made)
    made.add_argument("--runs", type=int, default=runs, metavar="N",
                      help=runs_help + " (default: %(default)s)")
    made.add_argument("--only", metavar="NAME,…", help="of the variants, only these")
    made.add_argument("--files", type=int, default=files, help="default: %(default)s")
    made.add_argument("--rows", type=int, default=rows, help="in all (default: %(default)s)")
    made.add_argument("--cores", type=int, default=8, metavar="N",
                      help="tasks at a time, which mostly wait (default: %(default)s)")
    made.add_argument("--set", action="append", default=[], metavar="NAME=VALUE",
                      help="a setting of Spark for Penstock's rows; may be repeated")
    harness.goal_options(made)
    results = "%s.json" % harness.SCRIPT
    made.add_argument("--json", type=pathlib.Path, default=harness.WORK / results, metavar="FILE",
                      help="where the raw runs go (default: bench/.work/%s)" % results)
    made.set_defaults(names=list(names))
    return made


def options(made):
    given = made.parse_args()
    given.variants = given.only.split(",") if given.only else given.names
    unknown = [name for name in given.variants if name not in given.names]
    if unknown:
        made.error("no variant %s; there are %s" % (", ".join(unknown), ", ".join(given.names)))
    if given.runs < 1 or given.files < 1 or given.rows < given.files or given.cores < 1:
        made.error("need one run, one core, one file, and one row a file at least")
    odd = [text for text in given.set if "=" not in text]
    if odd:
        made.error("--set %s is not NAME=VALUE" % odd[0])
    return given


@contextlib.contextmanager
def ready(given):
    """All that a run needs, and the server."""
    python = harness.spark_python(given.spark_python)
    version = harness.spark_version(python)
    foreign = [name for name in given.variants if not variants.is_ours(name)]
    s3a = harness.s3a_jars(version) if foreign else {}
    ours = harness.penstock_jars(given.penstock_jars)
    with harness.server(given) as server:
        where = "Spark %s, local[%d], %s, latency %s" % (
            version, given.cores, server.name, given.latency)
        yield Setup(given, python, where, ours, s3a, server)


class Runs:
    """The runs so far, on disk after each: those before an interruption are not lost."""

    def __init__(self, setup, planned):
        self.setup = setup
        self.planned = planned
        self.all = []

    def run(self, variant, weather, name, read):
        """A Spark of its own, in a weather of its own that begins anew, on a path of its own."""
        run = {"variant": variant, "weather": name, **trial(self.setup, variant, weather, read)}
        self.all.append(run)
        given = self.setup.given
        given.json.parent.mkdir(parents=True, exist_ok=True)
        given.json.write_text(json.dumps({
            "machine": harness.machine(), "where": self.setup.where, "rows": given.rows,
            "files": given.files, "runs": self.all}, indent=1) + "\n")
        writes = run["write"].get("requests", {}).get("writes", {})
        say("  %3d/%d  %-22s %-10s %6.1f s  %s%s" % (
            len(self.all), self.planned, variants.ALL[variant][0], name, run["write"]["seconds"],
            "%s writes, %s throttled" % (number(writes["all"]), number(writes["throttled"]))
            if writes else "", "  FAILED: " + run["error"] if run["error"] else ""))
        return run

    def of(self, variant, *names):
        return [run for run in self.all if run["variant"] == variant and run["weather"] in names]


def trial(setup, variant, weather, read):
    given = setup.given
    settings = {**variants.ALL[variant][1], "spark.master": "local[%d]" % given.cores}
    if variants.is_ours(variant):
        settings.update(text.split("=", 1) for text in given.set)
    section = "%s-%d" % (variant, int(time.time() * 1000))
    with harness.weather(given, setup.server, setup.ours, *weather) as store:
        job = {"path": "s3a://%s/%s" % (store.bucket, section), "log": str(store.access_log),
               "files": given.files, "rows": given.rows, "read": read}
        try:
            said, = harness.run_spark(
                setup.python, "write.py", [json.dumps(job)], store,
                variants.class_path(variant, setup.ours, setup.s3a), settings, section,
                given.timeout)
        except harness.TooSlow as e:
            return {"error": str(e), "isRight": False, "write": {"seconds": float(given.timeout)}}
        # Beside Spark's own log, for whoever wants to know when what was asked.
        shutil.copy2(store.access_log, harness.LOGS / (section + ".access.log"))
        for step in ("write", "read"):
            if step in said:
                said[step]["requests"] = harness.stretch(
                    store.access_log, *said[step]["log"]).as_json()
    return {**said, **judged(said, read)}


def judged(said, read):
    """Whether it ended well, and whether what was read is what was written."""
    error = said["write"]["error"] or (said["read"]["error"] if read else None)
    is_right = error is None and (not read or said["read"]["found"] == said["expected"])
    if error is None and not is_right:
        error = "read %s, wrote %s" % (said["read"]["found"], said["expected"])
    return {"error": error, "isRight": is_right}


def rotated(cells, turn):
    """In another order each time, so that no cell always comes first."""
    shift = turn % len(cells)
    return cells[shift:] + cells[:shift]


def right(runs):
    """The time of a run that went wrong means nothing."""
    return [run for run in runs if run["isRight"]]


def seconds(runs, of, step="write"):
    times = [run[step]["seconds"] for run in right(runs) if step in run]
    return "%.1f s" % of(times) if times else "-"


def spread(runs, step="write"):
    """The times of all runs, and how many failed."""
    times = sorted(run[step]["seconds"] for run in right(runs) if step in run)
    failed = len(runs) - len(right(runs))
    return " ".join(["%.1f" % time for time in times] + ["FAILED"] * failed)


def goal(given, text, is_reached, ours):
    """Says whether the goal is reached, and gives the exit code. Wrong content is never right."""
    wrong = len(ours) - len(right(ours))
    if wrong:
        say("%d of %d runs of Penstock went wrong; see above" % (wrong, len(ours)))
    return 1 if wrong else harness.goal(given, text, is_reached)
