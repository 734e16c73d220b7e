-- What was written: an upload with its parts, or an object put in one request. An object that is put
-- again is another one. What S3A's magic committer and Penstock's note down, _SUCCESS and the marks
-- of directories are no files: they are many, and tiny beside what they stand for.
select
  case when upload_id is null then 'put' else 'upload' end as kind,
  cast(sum(case when api in ('UploadPart', 'PutObject') and ok = 1 then bytes_in end) as bigint) as bytes,
  count(*) as requests,
  max(case when api in ('CompleteMultipartUpload', 'PutObject') then ok else 0 end) as done
from (
  select
    file, position, upload_id, api, bytes_in,
    case when err is null and coalesce(status, 200) < 400 then 1 else 0 end as ok
  from s3_requests
  where api in ('UploadPart', 'CompleteMultipartUpload')
    or (api = 'PutObject'
      and instr(concat('/', coalesce(key, '')), '/__magic') = 0
      and instr(concat('/', coalesce(key, '')), '/_penstock_') = 0
      and concat('/', coalesce(key, '')) not like '%_/'
      and concat('/', coalesce(key, '')) not like '%/_SUCCESS')
) writes
group by
  case when upload_id is null then 'put' else 'upload' end,
  coalesce(upload_id, concat(cast(file as string), ':', cast(position as string)))
