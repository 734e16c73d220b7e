-- gets Sizes of the reads of Parquet files, without their footers
-- columns: gets count, median_bytes bytes, near_8_mib count
-- A read under 64 KiB is a footer, or the length of one.
select count(*) as gets,
  cast(round(percentile_cont(0.5) within group (order by bytes_out)) as bigint) as median_bytes,
  count(*) filter (where bytes_out between 7549747 and 9227469) as near_8_mib
from s3_requests
where api = 'GetObject' and bytes_out >= 65536 and key like '%parquet%' and err is null
