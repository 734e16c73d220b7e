-- What was written, by size: uploads with their parts, and objects put in one request. An object that
-- is put again is another one. A size is kept to a five hundredth. What S3A's magic committer and
-- Penstock's note down, _SUCCESS, the marks of directories, checkpoints of streams and the metadata
-- of tables are no files: they are many, and tiny beside what they stand for.
select
  kind,
  done,
  case when bytes < 1024 then bytes
    else cast(round(floor(bytes / unit + 0.5) * unit) as bigint) end as bytes,
  count(*) as files,
  cast(sum(bytes) as bigint) as total_bytes,
  count(*) filter (where bytes < 10485760) as small
from (
  select kind, done, bytes, pow(2, floor(log2(greatest(bytes, 1)) + 1e-9) - 9) as unit
  from (
    select
      'upload' as kind,
      cast(sum(case when api = 'UploadPart' and err is null and coalesce(status, 200) < 400
        then bytes_in end) as bigint) as bytes,
      max(case when api = 'CompleteMultipartUpload' and err is null
        and coalesce(status, 200) < 400 then 1 else 0 end) as done
    from s3_requests
    where api in ('UploadPart', 'CompleteMultipartUpload')
    group by write_id
    union all
    select
      'put' as kind,
      case when err is null and coalesce(status, 200) < 400 then bytes_in end as bytes,
      case when err is null and coalesce(status, 200) < 400 then 1 else 0 end as done
    from s3_requests r
    where api = 'PutObject'
      and instr('/' || coalesce(key, ''), '/__magic') = 0
      and instr('/' || coalesce(key, ''), '/_penstock_') = 0
      and '/' || coalesce(key, '') not like '%_/'
      and '/' || coalesce(key, '') not like '%/_SUCCESS'
      and not exists (select 1 from s3_metadata_dirs n where n.dir = r.dir)
  ) written
) sized
group by 1, 2, 3
