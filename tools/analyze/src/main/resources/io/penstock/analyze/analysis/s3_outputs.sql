-- What was written: an upload with its parts, or an object put in one request. An object that is put
-- again is another one. What S3A's magic committer and Penstock's note down, _SUCCESS and the marks
-- of directories are no files: they are many, and tiny beside what they stand for.
select
  'upload' as kind,
  cast(sum(case when api = 'UploadPart' and ok = 1 then bytes_in end) as bigint) as bytes,
  count(*) as requests,
  max(case when api = 'CompleteMultipartUpload' then ok else 0 end) as done
from (
  select
    write_id, api, bytes_in,
    case when err is null and coalesce(status, 200) < 400 then 1 else 0 end as ok
  from s3_requests
  where api in ('UploadPart', 'CompleteMultipartUpload')
) writes
group by write_id
union all
select
  'put' as kind,
  case when err is null and coalesce(status, 200) < 400 then bytes_in end as bytes,
  cast(1 as bigint) as requests,
  case when err is null and coalesce(status, 200) < 400 then 1 else 0 end as done
from s3_requests
where api = 'PutObject'
  and instr('/' || coalesce(key, ''), '/__magic') = 0
  and instr('/' || coalesce(key, ''), '/_penstock_') = 0
  and '/' || coalesce(key, '') not like '%_/'
  and '/' || coalesce(key, '') not like '%/_SUCCESS'
