-- files Files written, and the requests for them
-- columns: files count, writes count, bytes bytes, measured count, median_bytes bytes,
--   small count, single_put count
-- A file is an upload that was completed, or an object put in one request; writes are all that
-- went well.
select
  count(*) as files,
  (select cast(coalesce(sum(requests - failed), 0) as bigint) from s3_by_second where class = 'W')
    as writes,
  cast(coalesce(sum(bytes), 0) as bigint) as bytes,
  count(bytes) as measured,
  cast(round(percentile_cont(0.5) within group (order by bytes)) as bigint) as median_bytes,
  count(*) filter (where bytes < 10485760) as small,
  count(*) filter (where kind = 'put') as single_put
from s3_outputs
where done = 1
