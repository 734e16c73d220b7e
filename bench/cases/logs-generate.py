# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How long does it take to generate 10 M requests of logs, and are they what was published?

Times 'penstock logs generate' of an access log. Then generates rows of the published benchmark and
the measured tail at their full size, reads every line again (here, with Python, not with the code
that wrote it), and compares counts with the published ones. --calibration-scale makes that part
smaller; counts are then only compared with the truth file.
"""

import collections
import json
import shutil

import bench
import drivers
import harness
from bench import Bench
from harness import number, say

GOAL_SECONDS = 60
GOAL_REQUESTS = 10_000_000
CREATE, PART, COMPLETE = "REST.POST.UPLOADS", "REST.PUT.PART", "REST.POST.UPLOAD"
# Of the published table: requests, throttled creates, parts and completes, % of writes.
ROWS = {1: (148_024, 0, 0, 0, "0.00"), 3: (211_481, 43, 139, 1_677, "1.04"),
        5: (407_172, 1_456, 4_933, 18_406, "6.62"), 7: (850_365, 6_879, 20_323, 92_323, "14.62"),
        9: (2_302_686, 47_089, 149_644, 335_949, "23.46")}
AIMD = {2: 0, 4: 310, 6: 3_451, 8: 4_703, 10: 9_704}
TAIL = {5: 26_602, 10: 15_866, 30: 14, 60: 4}


case = Bench(__doc__, has_store=False)
case.option("--requests", GOAL_REQUESTS, "that are timed")
case.option("--runs", 3)
case.option("--calibration-scale", 1.0, "of the rows and the tail; 0 for none")
case.numbers("--rows", "1,3,5,7,9,2,4,6,8,10", "of the benchmark", known=[*ROWS, *AIMD])
case.jars_option()
case.goals()
given = case.parse()


def generate(*arguments):
    """Seconds, and the directory."""
    target = harness.RUN / "logs"
    shutil.rmtree(target, ignore_errors=True)
    done = harness.timed(drivers.tool(case.jars, "logs", "generate", target, "--format",
                                      "access-log", *arguments, heap=None))
    return done["seconds"], target


def speed():
    runs = []
    for turn in range(given.runs):
        say("  run %d of %d" % (turn + 1, given.runs))
        seconds, target = generate("--requests", str(given.requests))
        files = list((target / "access-log").iterdir())
        runs.append({"seconds": seconds, "files": len(files),
                     "bytes": sum(file.stat().st_size for file in files)})
    return runs


def read(target):
    """{operation: requests}, {operation: throttled}, latencies of parts, duplicates left out."""
    requests, throttled, millis = (collections.Counter() for _ in range(3))
    for file in sorted((target / "access-log").iterdir()):
        seen = set()  # a duplicate stands in the same file
        with open(file, encoding="utf-8") as lines:
            for line in lines:
                head = line.split(" ", 8)
                if head[6] in seen:
                    continue
                seen.add(head[6])
                # What follows the URI, which ends in HTTP/1.1" or is a dash; two spaces are one.
                rest = head[8].split('HTTP/1.1" ', 1)
                fields = rest[-1].split() if len(rest) > 1 else head[8].split(" - ", 1)[1].split()
                operation = head[7]
                requests[operation] += 1
                if fields[0] == "503":
                    throttled[operation] += 1
                if operation == PART:
                    millis[int(fields[4])] += 1
    return requests, throttled, millis


def against_truth(target, requests, throttled):
    """What differs from the truth file."""
    truth = json.loads((target / "truth.json").read_text())
    return ["%s is %s, the truth has %s" % (what, found, true)
            for api in truth["apis"].values()
            for what, found, true in (
                (api["operation"], requests[api["operation"]], api["requests"]),
                (api["operation"] + " throttled", throttled[api["operation"]], api["throttled"]))
            if found != true]


def row(run):
    say("  row %d" % run)
    _, target = generate("--run", str(run), "--scale", str(given.calibration_scale))
    requests, throttled, _ = read(target)
    wrong = against_truth(target, requests, throttled)
    writes = sum(requests[call] for call in (CREATE, PART, COMPLETE))
    all_throttled = sum(throttled.values())
    found = {"run": run, "requests": sum(requests.values()), "throttled": all_throttled,
             "of_writes": "%.2f" % (100 * all_throttled / writes),
             "of_all": "%.2f" % (100 * all_throttled / sum(requests.values())),
             "succeeded": [requests[c] - throttled[c] for c in (CREATE, PART, COMPLETE)]}
    if given.calibration_scale == 1 and run in ROWS:
        mine = (found["requests"], *(throttled[c] for c in (CREATE, PART, COMPLETE)),
                found["of_writes"])
        if mine != ROWS[run]:
            wrong.append("%s instead of the published %s" % (mine, ROWS[run]))
    elif given.calibration_scale == 1 and all_throttled != AIMD[run]:
        wrong.append("%d throttled instead of the published %d" % (all_throttled, AIMD[run]))
    return {**found, "wrong": wrong}


def tail():
    say("  tail")
    _, target = generate("--scenario", "tail", "--scale", str(given.calibration_scale))
    requests, throttled, millis = read(target)
    wrong = against_truth(target, requests, throttled)
    over = {s: sum(n for ms, n in millis.items() if ms > 1000 * s) for s in TAIL}
    if given.calibration_scale == 1 and over != TAIL:
        wrong.append("%s instead of the measured %s" % (over, TAIL))
    return {"parts": requests[PART], "over": over, "wrong": wrong,
            "quantiles": [quantile(millis, share) for share in (0.25, 0.5, 0.95)]}


def quantile(millis, share):
    rank = share * sum(millis.values())
    for value in sorted(millis):
        rank -= millis[value]
        if rank <= 0:
            return value
    return None


def print_calibration(rows, found):
    print("\nCalibration, by what is read back from the lines\n")
    print(bench.columns_of(rows, [
        ("row", lambda row: row["run"]), ("requests", lambda row: number(row["requests"])),
        ("throttled", lambda row: number(row["throttled"])),
        ("of writes", lambda row: row["of_writes"] + " %"),
        ("of all", lambda row: row["of_all"] + " %"),
        ("creates, parts, completes", lambda row: " ".join(map(number, row["succeeded"])))]))
    print("\nTail: %s parts; %s; p25, p50, p95: %s ms" % (
        number(found["parts"]),
        ", ".join("> %d s %s" % (s, number(n)) for s, n in found["over"].items()),
        ", ".join(str(q) for q in found["quantiles"])))


def run():
    runs = speed()
    case.head("%s requests, access log with audit" % number(given.requests))
    print(bench.table_of("run", {str(i + 1): run for i, run in enumerate(runs)}, {
        "seconds": lambda run: "%.1f" % run["seconds"], "bytes": lambda run: number(run["bytes"]),
        "bytes a request": lambda run: "%.0f" % (run["bytes"] / given.requests),
        "MB/s": lambda run: "%.0f" % (run["bytes"] / 1e6 / run["seconds"]),
        "requests/s": lambda run: number(int(given.requests / run["seconds"]))}))
    rows, found = [], None
    if given.calibration_scale > 0:
        rows = [row(number) for number in given.rows]
        found = tail()
        print_calibration(rows, found)
    case.save(requests=given.requests, runs=runs, rows=rows, tail=found)
    wrong = ["row %d: %s" % (r["run"], text) for r in rows for text in r["wrong"]]
    wrong += ["tail: " + text for text in (found["wrong"] if found else [])]
    for text in wrong:
        say("WRONG: " + text)
    limit = GOAL_SECONDS * given.requests / GOAL_REQUESTS
    print()
    return 1 if wrong else harness.goal(
        given, "median at most %.0f s" % limit, bench.middle(runs) <= limit)


case.main(run)
