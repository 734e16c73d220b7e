-- Requests by second and by what is known of who made them.
select
  date_trunc('second', ts_start) as second,
  role_arn, requester, app_id, user_agent, source_region,
  count(*) as requests,
  count(*) filter (where throttled) as throttled
from s3_requests
group by 1, 2, 3, 4, 5, 6
