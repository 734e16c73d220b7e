-- gaps What lies between the ranges that are read of a file
-- columns: files count, ranges count, median_gap bytes
-- Needs ranges: from the audit of S3A, from debug lines or from our own request log.
select count(*) as files, cast(coalesce(sum(ranges), 0) as bigint) as ranges,
  cast(round(percentile_cont(0.5) within group (order by gap)) as bigint) as median_gap
from (
  select count(*) as ranges,
    greatest(0, max(range_end) - min(range_start) - sum(range_end - range_start))
      / (count(*) - 1) as gap
  from s3_requests
  where api = 'GetObject' and range_start is not null and range_end is not null
  group by bucket, key
  having count(*) > 1
) by_file
