-- rejects What could not be read
-- columns: files count, records count, rejected count
select count(*) as files, cast(coalesce(sum(records), 0) as bigint) as records,
  cast(coalesce(sum(rejected), 0) as bigint) as rejected
from log_files
