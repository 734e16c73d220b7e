-- Requests by second and by who made them.
select
  date_trunc('second', ts_start) as second,
  coalesce(role_arn, requester, app_id, 'unknown') as who,
  min(user_agent) as user_agent,
  count(*) as requests,
  count(*) filter (where throttled) as throttled
from s3_requests
group by 1, 2
