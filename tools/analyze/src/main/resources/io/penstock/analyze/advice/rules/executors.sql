-- executors Executors: lifetime, work and memory
-- columns: exec_id text, host text, cores count, added time, until time,
--   removed_reason text, run_ms millis, cpu_ms millis, gc_ms millis,
--   peak_heap_bytes bytes, peak_offheap_bytes bytes, peak_rss_bytes bytes,
--   lost flag, held_ms millis
select e.exec_id, e.host, e.cores, e.added, e.until, e.removed_reason,
  e.run_ms, e.cpu_ms, e.gc_ms, e.peak_heap_bytes, e.peak_offheap_bytes, e.peak_rss_bytes, e.lost,
  greatest(e.held_ms, e.run_ms)
from spark_executors e join advised_app a on a.app_id = e.app_id
where e.exec_id <> 'driver'
order by e.added, e.exec_id
