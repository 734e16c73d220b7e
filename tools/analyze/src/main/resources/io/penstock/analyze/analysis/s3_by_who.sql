-- Requests by second and by who made them.
select
  second,
  coalesce(role_arn, requester, app_id, 'unknown') as who,
  min(user_agent) as user_agent,
  cast(sum(requests) as bigint) as requests,
  cast(sum(throttled) as bigint) as throttled
from s3_callers
group by 1, 2
