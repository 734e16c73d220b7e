-- Requests by second and by the host that made them.
select
  date_trunc('second', ts_start) as second,
  client_ip, exec_id,
  count(*) as requests,
  count(*) filter (where throttled) as throttled
from s3_requests
group by 1, 2, 3
