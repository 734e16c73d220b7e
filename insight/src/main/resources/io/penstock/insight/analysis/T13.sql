-- T13 Sizes
-- columns: what text, files count, bytes bytes, mean_bytes bytes, p10_bytes bytes, p50_bytes bytes,
-- p90_bytes bytes, under_10_mib percent, requests_per_file number
select
  'files written', count(*), cast(sum(bytes) as bigint), cast(avg(bytes) as bigint),
  cast(percentile_cont(0.1) within group (order by bytes) as bigint),
  cast(percentile_cont(0.5) within group (order by bytes) as bigint),
  cast(percentile_cont(0.9) within group (order by bytes) as bigint),
  100.0 * count(*) filter (where bytes < 10485760) / nullif(count(bytes), 0),
  (select cast(sum(requests) as double) from s3_by_second where class = 'W') / count(*)
from s3_outputs
where done = 1
having count(*) > 0
union all
select
  'GetObject answers', count(*), cast(sum(bytes_out) as bigint), cast(avg(bytes_out) as bigint),
  cast(percentile_cont(0.1) within group (order by bytes_out) as bigint),
  cast(percentile_cont(0.5) within group (order by bytes_out) as bigint),
  cast(percentile_cont(0.9) within group (order by bytes_out) as bigint),
  100.0 * count(*) filter (where bytes_out < 10485760) / count(*),
  cast(null as double)
from s3_requests
where api = 'GetObject' and err is null and bytes_out is not null
having count(*) > 0
order by 1 desc
