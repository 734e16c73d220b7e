-- Requests by directory.
select
  bucket,
  dir,
  cast(sum(requests) as bigint) as requests,
  cast(coalesce(sum(requests) filter (where throttled), 0) as bigint) as throttled,
  cast(coalesce(sum(requests) filter (where class = 'W'), 0) as bigint) as writes,
  cast(coalesce(sum(requests) filter (
    where class = 'W' and err is null and coalesce(status, 200) < 400), 0) as bigint)
    as good_writes,
  cast(sum(bytes_in) as bigint) as bytes_in,
  cast(sum(bytes_out) as bigint) as bytes_out,
  cast(coalesce(sum(requests) filter (where class = 'R' and api = 'GetObject'), 0) as bigint)
    as gets,
  cast(sum(case when class = 'R' then bytes_out end) as bigint) as bytes_read,
  cast(coalesce(sum(requests) filter (
    where api in ('PutObject', 'CompleteMultipartUpload', 'CopyObject')
      and err is null and coalesce(status, 200) < 400), 0) as bigint) as written,
  cast(sum(
    case when class = 'W' and err is null and coalesce(status, 200) < 400 then bytes_in end)
    as bigint) as bytes_written
from s3_cells
where dir is not null
group by 1, 2
