-- T8 Longest retries
-- columns: first time, api text, key text, part count, attempts count, throttled count,
-- overlapping count, waited_ms millis, served_ms millis, final_status count
select
  first_start, api, bucket || '/' || key, part_no, attempts, throttled, overlapping,
  cast(waited_ms as double), served_ms, coalesce(ok_status, worst_status)
from s3_chains
order by waited_ms desc, first_start, key, chain, segment
limit 20
