# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How Spark writes to S3: Penstock, and S3A's committers, each set as its documentation says."""

CLOUD = "org.apache.spark.internal.io.cloud."
BINDING = {
    "spark.sql.sources.commitProtocolClass": CLOUD + "PathOutputCommitProtocol",
    "spark.sql.parquet.output.committer.class": CLOUD + "BindingParquetOutputCommitter",
}
MAGIC = {
    **BINDING,
    "spark.hadoop.fs.s3a.committer.name": "magic",
    "spark.hadoop.fs.s3a.committer.magic.enabled": "true",
}
IN_MEMORY = {
    **MAGIC,
    "spark.hadoop.fs.s3a.committer.magic.track.commits.in.memory.enabled": "true",
}
RENAME = {"spark.hadoop.fs.s3a.committer.name": "file"}
VERSION = "spark.hadoop.mapreduce.fileoutputcommitter.algorithm.version"
PLUGIN = {"spark.plugins": "io.penstock.spark.PenstockPlugin"}
# Penstock's engine under S3A's own client.
ENGINE = {"spark.hadoop.fs.s3a.s3.client.factory.impl": "io.penstock.sdk.S3AClientFactory"}
POLICY = "spark.hadoop.penstock.rate.policy"

# name -> (title, settings)
ALL = {
    "penstock": ("Penstock", PLUGIN),
    "penstock-uploads": ("Penstock, uploads", {
        **PLUGIN, "spark.hadoop.penstock.commit.inline.file.max": "0"}),
    "penstock-backoff": ("Penstock, backoff", {**PLUGIN, POLICY: "backoff"}),
    "penstock-aimd": ("Penstock, EMRFS's AIMD", {**PLUGIN, POLICY: "aimd"}),
    "staging": ("S3A staging", {
        **BINDING,
        "spark.hadoop.fs.s3a.committer.name": "directory",
        "spark.hadoop.fs.s3a.committer.staging.tmp.path": "staging",
    }),
    "magic-tuned": ("S3A magic, tuned", {
        **IN_MEMORY,
        "spark.hadoop.fs.s3a.performance.flags": "create,mkdir",
    }),
    "magic-memory": ("S3A magic, memory", IN_MEMORY),
    "magic": ("S3A magic", MAGIC),
    "staging-engine": ("S3A staging + engine", {
        **BINDING,
        **ENGINE,
        "spark.hadoop.fs.s3a.committer.name": "directory",
        "spark.hadoop.fs.s3a.committer.staging.tmp.path": "staging",
    }),
    "staging-jar": ("S3A staging, jar only", {
        **BINDING,
        "spark.hadoop.fs.s3a.committer.name": "directory",
        "spark.hadoop.fs.s3a.committer.staging.tmp.path": "staging",
    }),
    "magic-jar": ("S3A magic, jar only", IN_MEMORY),
    "magic-engine": ("S3A magic + engine", {**IN_MEMORY, **ENGINE}),
    "iceberg": ("Iceberg S3FileIO", {}),
    "iceberg-jar": ("S3FileIO, jar only", {}),
    "iceberg-engine": ("S3FileIO + engine", {
        "spark.sql.catalog.lake.s3.client-factory-impl": "io.penstock.sdk.IcebergClientFactory"}),
    "rename-v2": ("S3A rename v2", {**RENAME, VERSION: "2"}),
    "rename-v1": ("S3A rename v1", {**RENAME, VERSION: "1"}),
    "s3a": ("S3A", {}),
    "s3a-flags": ("S3A, create flag", {"spark.hadoop.fs.s3a.performance.flags": "create,mkdir"}),
    "classic": ("S3A classic", {"spark.hadoop.fs.s3a.input.stream.type": "classic"}),
    "analytics": ("S3A analytics", {"spark.hadoop.fs.s3a.input.stream.type": "analytics"}),
    "s3a-streams": ("S3A, Penstock's streams", {
        "spark.hadoop.fs.s3a.input.stream.type": "custom",
        "spark.hadoop.fs.s3a.input.stream.custom.factory":
            "io.penstock.hadoop.s3a.PenstockStreamFactory",
    }),
    "disk": ("local disk", {}),
}
# Renaming needs no spark-hadoop-cloud, which would choose another committer by itself.
WITHOUT_CLOUD = {"rename-v1", "rename-v2"}


def some(*names):
    return {name: ALL[name] for name in names}


def is_ours(name, known=ALL):
    """Whether Penstock is the file system: its plugin is among the settings."""
    return "spark.plugins" in (known.get(name) or ALL.get(name, ("", {})))[1]


def is_iceberg(name):
    """Whether the writes are those of a table of Iceberg, by Iceberg's own client of S3."""
    return name.startswith("iceberg")


def class_path(name, ours, s3a):
    if is_ours(name):
        return [ours / "penstock-spark.jar"]
    if name == "disk":
        return []
    if name == "s3a-streams":
        return [ours / "penstock-spark.jar", *s3a.values()]
    engine = [ours / "penstock-sdk.jar"] if name.endswith(("-engine", "-jar")) else []
    if is_iceberg(name):
        return engine  # S3A's SDK is another version.
    return engine + [jar for part, jar in s3a.items()
                     if part != "spark-hadoop-cloud" or name not in WITHOUT_CLOUD]
