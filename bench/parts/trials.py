# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""One job in one weather, again and again: what the benchmarks of the request engine share."""

import shutil

import harness
import tableformats
import variants
from bench import Bench, section_name
from harness import number, say


def bench(description, names, runs, files, rows, runs_help):
    case = Bench(description, variants.some(*names))
    case.option("--runs", runs, runs_help)
    case.option("--files", files)
    case.option("--rows", rows, "in all")
    case.option("--cores", 8, "tasks at a time, which mostly wait")
    case.settings("--set", "a setting of Spark for Penstock's rows")
    case.goals()
    return case


class Runs:
    """The runs so far, on disk after each: those before an interruption are not lost."""

    def __init__(self, case, server):
        self.case, self.server, self.all = case, server, []
        case.given.slots = case.given.cores
        case.told_where(server)
        say("%d files; %s" % (case.given.files, case.where))

    def take(self, cells, read=lambda turn: True):
        """Each of the cells, (variant, weather's name, function of the turn to its arguments), as
        often as is asked for, and in another order each time."""
        for turn in range(self.case.given.runs):
            for variant, name, arguments in harness.rotated(cells, turn):
                self.run(variant, arguments(turn), name, read(turn))
        return self

    def run(self, variant, weather, name, read):
        """A Spark of its own, in a weather of its own that begins anew, on a path of its own."""
        run = {"variant": variant, "weather": name, **self.trial(variant, weather, read)}
        self.all.append(run)
        given = self.case.given
        self.case.save(rows=given.rows, files=given.files, runs=self.all)
        writes = run["write"].get("requests", {}).get("writes", {})
        say("  %3d  %-22s %-10s %6.1f s  %s%s" % (
            len(self.all), self.case.title(variant), name, run["write"]["seconds"],
            "%s writes, %s throttled" % (number(writes["all"]), number(writes["throttled"]))
            if writes else "", "  FAILED: " + run["error"] if run["error"] else ""))

    def trial(self, variant, weather, read):
        case, given = self.case, self.case.given
        section = section_name(variant)
        with harness.weather(given, self.server, case.jars, *weather) as store:
            job = {"path": "s3a://%s/%s" % (store.bucket, section), "log": str(store.access_log),
                   "files": given.files, "rows": given.rows, "read": read}
            settings, jars = given.set if variants.is_ours(variant) else {}, []
            if variants.is_iceberg(variant):
                settings, jars = tableformats.own_client(store, store.bucket, section)
                job["table"] = tableformats.TABLE
            try:
                said, = case.spark("write.py", job, section, variant, settings, jars, store=store)
            except harness.TooSlow as e:
                return {"error": str(e), "isRight": False,
                        "write": {"seconds": float(given.timeout)}}
            # Beside Spark's own log, for whoever wants to know when what was asked.
            shutil.copy2(store.access_log, harness.LOGS / (section + ".access.log"))
            for step in ("write", "read"):
                if step in said:
                    said[step]["requests"] = harness.stretch(
                        store.access_log, *said[step]["log"]).as_json()
        return {**said, **judged(said, read)}

    def of(self, variant, *names):
        return [run for run in self.all if run["variant"] == variant and run["weather"] in names]

    def goal(self, text, is_reached):
        """Says whether the goal is reached, and gives the exit code. Wrong content is never right."""
        ours = [run for run in self.all if run["variant"] == "penstock"]
        wrong = len(ours) - len(right(ours))
        if wrong:
            say("%d of %d runs of Penstock went wrong; see above" % (wrong, len(ours)))
        return 1 if wrong else harness.goal(self.case.given, text, is_reached)


def judged(said, read):
    """Whether it ended well, and whether what was read is what was written."""
    error = said["write"]["error"] or (said["read"]["error"] if read else None)
    is_right = error is None and (not read or said["read"]["found"] == said["expected"])
    if error is None and not is_right:
        error = "read %s, wrote %s" % (said["read"]["found"], said["expected"])
    return {"error": error, "isRight": is_right}


def right(runs):
    """The time of a run that went wrong means nothing."""
    return [run for run in runs if run["isRight"]]


def seconds(runs, of, step="write", what="seconds"):
    times = [run[step][what] for run in right(runs) if step in run]
    return "%.1f s" % of(times) if times else "-"


def spread(runs, step="write"):
    """The times of all runs, and how many failed."""
    times = sorted(run[step]["seconds"] for run in right(runs) if step in run)
    failed = len(runs) - len(right(runs))
    return " ".join(["%.1f" % time for time in times] + ["FAILED"] * failed)
