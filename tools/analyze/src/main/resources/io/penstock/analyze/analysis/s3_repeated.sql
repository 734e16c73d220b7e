-- Chains that may hold more than one attempt: those with a failure, and writes that succeeded but may
-- have been tried again meanwhile. Where stamps are whole seconds, only a write of more than a second
-- can be seen to overlap another. Reads of one object are many and mean nothing unless one failed.
select chain
from s3_requests
where err is not null or status >= 400
  or (class = 'W' and (total_us > 1000000 or source in ('client_log', 'request_log')))
group by chain
