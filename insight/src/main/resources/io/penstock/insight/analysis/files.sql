-- Files What was read
-- columns: file count, name text, format text, packing text, bytes bytes, records count,
-- requests count, rejected count, skipped count, damage text
select file, name, format, packing, bytes, records, requests, rejected, skipped, damage
from log_files
order by file
