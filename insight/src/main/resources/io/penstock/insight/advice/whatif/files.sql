-- files Files written, and the requests for them
-- columns: files count, writes count, bytes bytes, measured count, median_bytes bytes,
--   small count, single_put count
-- A file is a key whose upload was completed, or that was put or copied at once.
select
  count(*) as files,
  cast(coalesce(sum(writes), 0) as bigint) as writes,
  cast(coalesce(sum(bytes), 0) as bigint) as bytes,
  count(bytes) as measured,
  cast(percentile_cont(0.5) within group (order by bytes) as bigint) as median_bytes,
  count(*) filter (where bytes < 10485760) as small,
  count(*) filter (where uploads = 0) as single_put
from (
  select bucket, key, count(*) as writes,
    sum(case when api in ('UploadPart', 'PutObject') then coalesce(bytes_in, obj_size) end)
      as bytes,
    count(*) filter (where api in ('CompleteMultipartUpload', 'PutObject', 'CopyObject')) as ends,
    count(*) filter (where api = 'CompleteMultipartUpload') as uploads
  from s3_requests
  where class = 'W' and err is null and coalesce(status, 200) < 400
    and key is not null and key not like '%/_SUCCESS'
  group by bucket, key
) written
where ends > 0
