-- renames Traces of commits by renaming
-- columns: temporary count, copies count, deletes count
-- Copies of checkpoint files are another matter, see the rule for checkpoints.
select
  (select cast(coalesce(sum(writes), 0) as bigint) from s3_by_dir where dir like '%/_temporary/%')
    as temporary,
  count(*) filter (where api in ('CopyObject', 'UploadPartCopy')) as copies,
  count(*) filter (where class = 'D') as deletes
from s3_requests
where err is null and (class = 'D' or api in ('CopyObject', 'UploadPartCopy'))
  and not (coalesce(dir, '') like '%/offsets/' or coalesce(dir, '') like '%/commits/'
    or coalesce(dir, '') like '%/state/%')
