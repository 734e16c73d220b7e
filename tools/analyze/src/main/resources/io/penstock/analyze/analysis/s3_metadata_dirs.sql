-- Directories of metadata: checkpoints of streams, and what tables keep beside their data. A directory
-- called offsets is a checkpoint's if commits is beside it, and metadata a table's if data is.
with dirs as (select distinct dir, '/' || dir as path from s3_by_dir)
select dir
from dirs
where regexp_extract(path,
    '/(state/[0-9]+/.*|sources/[0-9]+/|_spark_metadata/|_delta_log/.*|[.]hoodie/.*)$', 1) <> ''
  or (path like '%/offsets/'
    and substr(path, 1, length(path) - 8) || 'commits/' in (select path from dirs))
  or (path like '%/commits/'
    and substr(path, 1, length(path) - 8) || 'offsets/' in (select path from dirs))
  or (path like '%/metadata/'
    and substr(path, 1, length(path) - 9)
      in (select regexp_extract(path, '^(.*/)data/', 1) from dirs))
