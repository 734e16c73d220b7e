# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How much CPU time does a byte cost on its way to S3 and back?

One thread writes one large file and reads it in sequence, through Hadoop's FileSystem, without any
work of Spark's: through Penstock, and through S3A with its two streams, all with their defaults, by
turns, each several times in a warm JVM. The server is MinIO with TLS on this machine, so the network
is no limit. curl sends and receives the same bytes, as the least that TLS can cost.
"""

import json
import pathlib

import harness
import variants
from harness import median, say

VARIANTS = variants.some("penstock", "classic", "analytics")
WAYS = ("write", "read")


def options():
    parser = harness.parser(__doc__)
    parser.add_argument("--spark-python", type=pathlib.Path, metavar="PATH",
                        help="a Python that has pyspark %s; otherwise one is made" % harness.SPARK)
    parser.add_argument("--penstock-jars", type=pathlib.Path, metavar="DIR",
                        help="measure the jars in this directory")
    parser.add_argument("--timeout", type=int, default=900, metavar="SECONDS",
                        help="give a session up after so long (default: %(default)s)")
    parser.add_argument("--megabytes", type=int, default=1024, metavar="MIB",
                        help="size of the file (default: %(default)s)")
    parser.add_argument("--sessions", type=int, default=3, metavar="N",
                        help="JVMs of each variant (default: %(default)s)")
    parser.add_argument("--runs", type=int, default=3, metavar="N",
                        help="in each JVM (default: %(default)s)")
    parser.add_argument("--warm-ups", type=int, default=2, metavar="N",
                        help="runs before them that do not count (default: %(default)s)")
    parser.add_argument("--plain", action="store_true", help="http in place of https")
    parser.add_argument("--only", metavar="NAME,…", help="of %s, only these" % ", ".join(VARIANTS))
    parser.add_argument("--conf", action="append", default=[], metavar="KEY=VALUE",
                        help="a setting of Spark for all; may be repeated")
    harness.goal_options(parser)
    given = parser.parse_args()
    given.variants = given.only.split(",") if given.only else list(VARIANTS)
    if min(given.runs, given.sessions, given.megabytes, given.warm_ups + 1) < 1 or not set(given.variants) <= set(VARIANTS):
        parser.error("need a run, a session, a megabyte, and variants of %s" % ", ".join(VARIANTS))
    return given


def session(given, store, python, trusting, ours, s3a, name):
    job = {"bucket": store.bucket, "name": name, "megabytes": given.megabytes, "warmUps": given.warm_ups,
           "runs": given.runs}
    return harness.run_spark(
        python, "wire.py", [json.dumps(job)], store, variants.class_path(name, ours, s3a),
        {**VARIANTS[name][1], "spark.master": "local[1]",
         "spark.hadoop.fs.s3a.connection.ssl.enabled": str(not given.plain).lower(),
         "spark.driver.extraJavaOptions": trusting,
         **dict(pair.split("=", 1) for pair in given.conf)},
        name, given.timeout)


def curl(given, store):
    """The same bytes by curl, which does not look at them."""
    file, url = harness.RUN / "zeros", "%s/%s/curl" % (store.endpoint, store.bucket)
    with open(file, "wb") as out:
        out.truncate(given.megabytes << 20)
    # In a file, not on the command line, where everybody could read the keys.
    config = harness.RUN / "curl.conf"
    config.touch(mode=0o600)
    config.write_text('user = "%s:%s"\naws-sigv4 = "aws:amz:%s:s3"\ninsecure\nsilent\nfail\n' % (
        store.access_key, store.secret_key, harness.REGION))
    common = [harness.program("curl"), "--config", config]
    return {
        "write": harness.timed(
            common + ["-H", "x-amz-content-sha256: UNSIGNED-PAYLOAD", "-T", file, url]),
        "read": harness.timed(common + ["-o", "/dev/null", url]),
    }


def table(given, runs, way):
    gigabytes = given.megabytes / 1024
    base = runs.get("classic") or runs["penstock"]
    base = median([run[way]["cpu"] for run in base])
    rows = [["%s, 1 GiB" % way, "CPU", "ratio", "elapsed", "CPU, all runs"]]
    for name, mine in runs.items():
        cpu = [run[way]["cpu"] for run in mine]
        rows.append([
            VARIANTS[name][0] if name in VARIANTS else name,
            "%.2f s" % (median(cpu) / gigabytes), "%.2f" % (median(cpu) / base),
            "%.2f s" % (median([run[way]["seconds"] for run in mine]) / gigabytes),
            " ".join("%.2f" % (value / gigabytes) for value in cpu)])
    return harness.table(rows)


def run():
    given = options()
    python = harness.spark_python(given.spark_python)
    version = harness.spark_version(python)
    s3a = {} if given.variants == ["penstock"] else harness.s3a_jars(version)
    ours = harness.penstock_jars(given.penstock_jars)
    runs = {name: [] for name in [*given.variants, "curl"]}
    certificates = None if given.plain else harness.RUN / "certificates"
    trusting = harness.make_certificate(certificates) if certificates else ""
    with harness.minio_server(certificates) as endpoint:
        store = harness.Store("MinIO", endpoint, harness.BUCKET, harness.ACCESS_KEY,
                              harness.SECRET_KEY, None)
        for turn in range(given.sessions):
            for name in given.variants[:: 1 if turn % 2 == 0 else -1]:
                runs[name] += session(given, store, python, trusting, ours, s3a, name)
                say("  %-10s %s" % (name, ", ".join(
                    "%s %.2f s CPU, %.2f s" % (way, runs[name][-1][way]["cpu"],
                                               runs[name][-1][way]["seconds"]) for way in WAYS)))
            runs["curl"] += [curl(given, store) for _ in range(given.runs)]
    print("\nOne file of %d MiB, one thread, MinIO by %s, Spark %s\n%s\n" % (
        given.megabytes, "http" if given.plain else "https", version, harness.machine()))
    for way in WAYS:
        print(table(given, runs, way) + "\n")
    if not {"penstock", "classic"} <= set(runs):
        return 0
    worst = max(median([run[way]["cpu"] for run in runs["penstock"]])
                / median([run[way]["cpu"] for run in runs["classic"]]) for way in WAYS)
    return harness.goal(given, "at most the CPU time of S3A's classic stream (%.2f)" % worst,
                        worst <= 1.0)


harness.main(run)
