# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Delta and Iceberg, of the line of Spark that the benchmarks use."""

import harness

FORMATS = {
    "delta": {
        "title": "Delta 4.4.0",
        "jars": ["io.delta:delta-spark_4.1_2.13:4.4.0", "io.delta:delta-storage:4.4.0"],
        "settings": {
            "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
            "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        },
    },
    "iceberg": {
        "title": "Iceberg 1.12.0, Hadoop catalog",
        "jars": ["org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.12.0"],
        "settings": {
            "spark.sql.extensions":
                "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
        },
    },
}

# Iceberg's own client of S3, of the same version.
S3_FILE_IO = "org.apache.iceberg:iceberg-aws-bundle:1.12.0"

# A database for Iceberg's JDBC catalog.
SQLITE = "org.xerial:sqlite-jdbc:3.50.3.0"

CATALOG = "spark.sql.catalog.lake"
TABLE = "lake.db.rows"


def catalog(store, bucket, uses_s3_file_io, path="iceberg"):
    """Iceberg's Hadoop catalog, whose files its HadoopFileIO or its S3FileIO reads and writes."""
    settings = {
        CATALOG: "org.apache.iceberg.spark.SparkCatalog",
        CATALOG + ".type": "hadoop",
        CATALOG + ".warehouse": "s3a://%s/%s" % (bucket, path),
    }
    if not uses_s3_file_io:
        return settings
    return {
        **settings,
        CATALOG + ".io-impl": "org.apache.iceberg.aws.s3.S3FileIO",
        CATALOG + ".client.region": harness.REGION,
        CATALOG + ".s3.endpoint": store.endpoint,
        CATALOG + ".s3.path-style-access": "true",
        CATALOG + ".s3.access-key-id": store.access_key,
        CATALOG + ".s3.secret-access-key": store.secret_key,
    }


def jdbc(settings, name):
    """The same catalog, which keeps its tables' versions in a database of its own."""
    return {**settings, CATALOG + ".type": "jdbc",
            CATALOG + ".uri": "jdbc:sqlite:%s" % (harness.RUN / (name + ".db"))}


def own_client(store, bucket, name):
    """Settings and jars of Iceberg with its JDBC catalog and S3FileIO: all that goes to S3 is its."""
    settings = {**FORMATS["iceberg"]["settings"], **jdbc(catalog(store, bucket, True, name), name)}
    return settings, [*jars("iceberg"), harness.fetched("formats", SQLITE),
                      harness.fetched("formats", S3_FILE_IO)]


def jars(*kinds):
    """The jars of these formats, or of all."""
    return [harness.fetched("formats", artifact)
            for kind in kinds or FORMATS for artifact in FORMATS[kind]["jars"]]


def settings():
    """Spark's settings for all formats at once."""
    merged = {}
    for known in FORMATS.values():
        for key, value in known["settings"].items():
            merged[key] = "%s,%s" % (merged[key], value) if key in merged else value
    return merged
