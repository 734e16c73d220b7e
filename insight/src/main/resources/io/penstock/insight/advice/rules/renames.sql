-- renames Traces of commits by renaming
-- columns: temporary count, copies count, deletes count
-- Copies of checkpoint files are another matter, see the rule for checkpoints.
select
  count(*) filter (where key like '%/_temporary/%') as temporary,
  count(*) filter (where api in ('CopyObject', 'UploadPartCopy')) as copies,
  count(*) filter (where class = 'D') as deletes
from s3_requests
where err is null and (class = 'D' or api in ('CopyObject', 'UploadPartCopy')
  or (class = 'W' and key like '%/_temporary/%'))
  and not (coalesce(dir, '') like '%/offsets/' or coalesce(dir, '') like '%/commits/'
    or coalesce(dir, '') like '%/state/%')
