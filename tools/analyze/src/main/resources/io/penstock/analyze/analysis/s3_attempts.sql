-- Attempts of the chains that may hold more than one; an engine may have others here too. telling marks
-- those that make a chain one of s3_chain_sums: failures, and writes that succeeded but may have been
-- tried again meanwhile. Where stamps are whole seconds, only a write of more than a second can be seen
-- to overlap another. Reads of one object are many and mean nothing unless one failed. A read that is
-- answered 404 has not failed: programs ask for what may be there, again and again. RetriedChains has
-- this condition too.
select
  chain, ts_start, coalesce(ts_end, ts_start) as ts_end, source, file, position, status, total_us,
  case when throttled then 1 else 0 end as throttled,
  case
    when status = 404 and coalesce(class, '') <> 'W' then 1
    when err is null and coalesce(status, 200) < 400 then 1
    else 0
  end as ok,
  case
    when status = 404 and coalesce(class, '') <> 'W' then 0
    when err is not null or status >= 400 then 1
    when class = 'W' and (total_us > 1000000 or source in ('client_log', 'request_log')) then 1
    else 0
  end as telling
from s3_requests
where ts_start is not null and ${may_be_retried}
