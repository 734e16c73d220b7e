# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How much CPU time does a byte cost on its way to S3 and back?

One thread writes one large file and reads it in sequence, through Hadoop's FileSystem, without any
work of Spark's: through Penstock, and through S3A with its two streams, all with their defaults, by
turns, each several times in a warm JVM. The server is MinIO with TLS on this machine, so the
network is no limit. curl sends and receives the same bytes, as the least that TLS can cost.
"""

import bench
import harness
import variants
from bench import Bench
from harness import median
from soaking import stores

WAYS = ("write", "read")

case = Bench(__doc__, variants.some("penstock", "classic", "analytics"), has_store=False)
case.spark_options()
case.option("--timeout", 900, "give a session up after so long", "SECONDS")
case.option("--megabytes", 1024, "size of the file", "MIB")
case.option("--sessions", 3, "JVMs of each variant")
case.option("--runs", 3, "in each JVM")
case.option("--warm-ups", 2, "runs before them that do not count", least=0)
case.flag("--plain", "http in place of https")
case.settings()
case.goals()
case.parser.set_defaults(slots=1)
given = case.parse()
GIGABYTES = given.megabytes / 1024


def session(name, trusting):
    return case.spark("wire.py", {
        "name": name, "megabytes": given.megabytes, "warmUps": given.warm_ups, "runs": given.runs},
        name, name, {"spark.hadoop.fs.s3a.connection.ssl.enabled": str(not given.plain).lower(),
                     "spark.driver.extraJavaOptions": trusting, **given.conf})


def curl():
    """The same bytes by curl, which does not look at them."""
    store = case.store
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


def table(runs, way):
    """Times are those of a gigabyte."""
    rows = {case.title(name) if name in case.variants else name: [run[way] for run in mine]
            for name, mine in runs.items()}
    base = [run[way] for run in runs.get("classic") or runs["penstock"]]
    return bench.table_of("%s, 1 GiB" % way, rows, {
        "CPU": bench.median_of("cpu", "%.2f s", GIGABYTES), "ratio": bench.ratio_to(base, "cpu"),
        "elapsed": bench.median_of("seconds", "%.2f s", GIGABYTES),
        "CPU, all runs": lambda mine: " ".join("%.2f" % (run["cpu"] / GIGABYTES) for run in mine)})


def run():
    case.prepare()
    certificates = None if given.plain else harness.RUN / "certificates"
    trusting = harness.make_certificate(certificates) if certificates else ""
    curls = []

    def one(name):
        if name == given.variants[-1]:  # once in each round
            curls.extend(curl() for _ in range(given.runs))
        return session(name, trusting)

    with stores.Minio([harness.BUCKET], harness.minio(), certificates) as server:
        case.store = harness.Store("MinIO", server.endpoint, harness.BUCKET, harness.ACCESS_KEY,
                                   harness.SECRET_KEY, None)
        rounds = case.rounds(given.sessions, one, lambda said: ", ".join(
            "%s %.2f s CPU, %.2f s" % (way, said[-1][way]["cpu"], said[-1][way]["seconds"])
            for way in WAYS))
    runs = {name: [run for said in mine for run in said] for name, mine in rounds.items()}
    runs["curl"] = curls
    case.save(runs=runs)
    case.head("One file of %d MiB, one thread, MinIO by %s, Spark %s" % (
        given.megabytes, "http" if given.plain else "https", case.version))
    for way in WAYS:
        print(table(runs, way) + "\n")
    if not {"penstock", "classic"} <= set(runs):
        return 0
    worst = max(median([run[way]["cpu"] for run in runs["penstock"]])
                / median([run[way]["cpu"] for run in runs["classic"]]) for way in WAYS)
    return harness.goal(given, "at most the CPU time of S3A's classic stream (%.2f)" % worst,
                        worst <= 1.0)


case.main(run)
