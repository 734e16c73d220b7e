-- gets Sizes of the reads of Parquet files, without their footers
-- columns: gets count, median_bytes bytes, near_8_mib count
-- A read under 64 KiB is a footer, or the length of one.
select
  cast(coalesce(sum(requests), 0) as bigint) as gets,
  cast(min(bytes) filter (where so_far >= 0.5 * of_all) as bigint) as median_bytes,
  cast(coalesce(sum(requests) filter (where bytes between 7549747 and 9227469), 0) as bigint)
    as near_8_mib
from (
  select bytes, requests, sum(requests) over (order by bytes) as so_far,
    sum(requests) over () as of_all
  from s3_gets
  where is_parquet and bytes >= 65536
) ranked
