"""Reads Spark's tables with other readers, and writes two tables for Spark."""

import os
import sys

import duckdb
import fsspec
import polars
import pyarrow
import pyarrow.dataset
from deltalake import DeltaTable, write_deltalake
from pyarrow import fs
from pyiceberg.table import StaticTable

base = sys.argv[1]
endpoint, access, secret = (os.environ[name] for name in (
    "AWS_ENDPOINT_URL", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"))
region = os.environ["AWS_REGION"]
plain = base.removeprefix("s3://")
store = fs.S3FileSystem(access_key=access, secret_key=secret, region=region,
                        endpoint_override=endpoint.split("://")[1], scheme=endpoint.split("://")[0])
delta_options = {"AWS_ALLOW_HTTP": "true", "AWS_ENDPOINT_URL": endpoint, "AWS_REGION": region,
                 "AWS_ACCESS_KEY_ID": access, "AWS_SECRET_ACCESS_KEY": secret}


def check(reader, ids):
    ids = list(ids)
    print(f"{reader}: {len(ids)} rows")
    assert sorted(ids) == list(range(1000)), f"{reader} found other rows"


check("PyArrow reads Parquet", pyarrow.dataset.dataset(
    f"{plain}/parquet", filesystem=store, partitioning="hive").to_table()["id"].to_pylist())
duckdb.register_filesystem(fsspec.filesystem("s3", endpoint_url=endpoint, key=access, secret=secret))
check("DuckDB reads Parquet", (row[0] for row in duckdb.sql(
    f"SELECT id FROM read_parquet('{base}/parquet/*/*.parquet', hive_partitioning = true)").fetchall()))
check("Polars reads Parquet", polars.scan_parquet(  # which, unlike others, takes _SUCCESS for data
    f"{base}/parquet/**/*.parquet", hive_partitioning=True, storage_options={
        "aws_endpoint_url": endpoint, "aws_access_key_id": access, "aws_secret_access_key": secret,
        "aws_region": region, "aws_allow_http": "true"}).collect()["id"])
check("delta-rs reads Delta", DeltaTable(f"{base}/delta", storage_options=delta_options)
      .to_pyarrow_table()["id"].to_pylist())
metadata = max((found.path for found in store.get_file_info(fs.FileSelector(
    f"{plain}/iceberg/db/orders/metadata")) if found.path.endswith(".metadata.json")),
    key=lambda path: int(path.rsplit("/v", 1)[1].split(".")[0]))
check("PyIceberg reads Iceberg", StaticTable.from_metadata(
    f"s3://{metadata}", {"s3.endpoint": endpoint, "s3.access-key-id": access,
                         "s3.secret-access-key": secret, "s3.region": region})
      .scan().to_arrow()["id"].to_pylist())

orders = pyarrow.table({"id": list(range(1000))})
pyarrow.dataset.write_dataset(orders, f"{plain}/from-pyarrow", filesystem=store, format="parquet")
write_deltalake(f"{base}/from-delta-rs", orders, storage_options=delta_options)
