-- What was written: an upload with its parts, or an object put in one request.
select
  max(case when api = 'PutObject' then 'put' else 'upload' end) as kind,
  cast(sum(case when api in ('UploadPart', 'PutObject') and ok = 1 then bytes_in end) as bigint) as bytes,
  count(*) as requests,
  max(case when api in ('CompleteMultipartUpload', 'PutObject') then ok else 0 end) as done
from (
  select
    write_id, api, bytes_in,
    case when err is null and coalesce(status, 200) < 400 then 1 else 0 end as ok
  from s3_requests
  where api in ('PutObject', 'UploadPart', 'CompleteMultipartUpload')
) writes
group by write_id
