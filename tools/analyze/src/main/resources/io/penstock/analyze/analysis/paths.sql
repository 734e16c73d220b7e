-- T22 paths: Read and written by path
-- columns: path text, requests count, throttled count, gets count, read bytes, objects_written count,
-- written bytes
-- A path is a directory without what is below it of partitions (p=1) and of names that begin with _
-- or a dot, such as _temporary: so it is most often a table.
select
  bucket || '/' || root,
  cast(sum(requests) as bigint),
  cast(sum(throttled) as bigint),
  cast(sum(gets) as bigint),
  cast(sum(bytes_read) as bigint),
  cast(sum(written) as bigint),
  cast(sum(bytes_written) as bigint)
from (
  select *, regexp_extract(dir, '^((?:[^/=_.][^/=]*/)*)', 1) as root
  from s3_by_dir
) roots
group by 1
order by 2 desc, 1
limit 1000
