-- Files files: What was read
-- columns: directory text, format text, packing text, trouble text, files count, bytes bytes,
-- records count, requests count, rejected count, skipped count, first_file text
select
  regexp_replace(name, '[^/]*$', ''), format, packing, damage, count(*), cast(sum(bytes) as bigint),
  cast(sum(records) as bigint), cast(sum(requests) as bigint), cast(sum(rejected) as bigint),
  cast(sum(skipped) as bigint), min(regexp_replace(name, '^.*/', ''))
from log_files
group by 1, 2, 3, 4
order by 1, 2, 3, 4
