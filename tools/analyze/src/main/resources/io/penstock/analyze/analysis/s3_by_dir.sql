-- Requests by directory.
select
  bucket,
  dir,
  count(*) as requests,
  count(*) filter (where throttled) as throttled,
  count(*) filter (where class = 'W') as writes,
  cast(sum(bytes_in) as bigint) as bytes_in,
  cast(sum(bytes_out) as bigint) as bytes_out,
  count(*) filter (where class = 'R' and api = 'GetObject') as gets,
  cast(sum(case when class = 'R' then bytes_out end) as bigint) as bytes_read,
  count(*) filter (
    where api in ('PutObject', 'CompleteMultipartUpload', 'CopyObject')
      and err is null and coalesce(status, 200) < 400) as written,
  cast(sum(
    case when class = 'W' and err is null and coalesce(status, 200) < 400 then bytes_in end)
    as bigint) as bytes_written
from s3_requests
where dir is not null
group by 1, 2
