-- renames Traces of commits by renaming
-- columns: temporary count, copies count, deletes count
-- Copies of a stream's checkpoint are another matter, see the rule for checkpoints.
select
  (select cast(coalesce(sum(writes), 0) as bigint) from s3_by_dir where dir like '%/_temporary/%')
    as temporary,
  cast(coalesce(sum(requests) filter (where api in ('CopyObject', 'UploadPartCopy')), 0) as bigint)
    as copies,
  cast(coalesce(sum(requests) filter (where class = 'D'), 0) as bigint) as deletes
from s3_cells c
where err is null and (class = 'D' or api in ('CopyObject', 'UploadPartCopy'))
  and not exists (select 1 from s3_metadata_dirs n where n.dir = c.dir)
