-- How large the answers to GetObject are, to a five hundredth; whether of Parquet files.
select
  is_parquet,
  cast(round(floor(bytes_out / unit + 0.5) * unit) as bigint) as bytes,
  count(*) as requests,
  cast(sum(bytes_out) as bigint) as total_bytes
from (
  select
    bytes_out,
    coalesce(key like '%parquet%', false) as is_parquet,
    case when bytes_out < 1024 then 1.0 else pow(2, floor(log2(bytes_out) + 1e-9) - 9) end as unit
  from s3_requests
  where api = 'GetObject' and err is null and bytes_out is not null
) gets
group by 1, 2
