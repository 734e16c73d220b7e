-- totals All stages of the job together
-- columns: run_ms millis, scan_ms millis, files_written count, written_bytes bytes,
--   writing_stages count, parts_written count, most_parts count, output_bytes bytes,
--   disk_spill_bytes bytes, reading_spill bytes
select
  sum(s.run_ms), sum(s.scan_ms), cast(sum(s.files_written) as bigint),
  cast(sum(s.written_bytes) as bigint), count(*) filter (where s.files_written > 0),
  cast(sum(s.parts_written) as bigint), max(s.parts_written),
  cast(sum(s.output_bytes) as bigint), cast(sum(s.disk_spill_bytes) as bigint),
  max(s.disk_spill_bytes) filter (where s.files_read > 0 or s.input_bytes > 0)
from spark_stages s join advised_app a on a.app_id = s.app_id
