-- Requests that were tried more than once, one row each.
select
  chain,
  cast(1 as bigint) as segment,
  first_start, last_end, attempts, throttled,
  attempts - oks as failed,
  cast(0 as bigint) as overlapping,
  cast(oks as integer) as ok,
  waited_ms,
  ok_status, worst_status, served_ms
from s3_chain_sums
where plain = 1
union all
select
  chain, segment, first_start, last_end, attempts, throttled, failed, overlapping, ok, waited_ms,
  ok_status, worst_status, served_ms
from s3_tangles
