-- T16 Who
-- columns: who text, user_agent text, requests count, share percent, throttled count,
-- in_throttled_seconds count, of_throttled_seconds percent
with hot as (
  select second from s3_by_second group by second having sum(throttled) > 0
),
who as (
  select
    coalesce(r.role_arn, r.requester, r.app_id, 'unknown') as who,
    min(substr(r.user_agent, 1, 80)) as user_agent,
    count(*) as requests,
    count(*) filter (where r.throttled) as throttled,
    count(h.second) as in_hot
  from s3_requests r
  left join hot h on date_trunc('second', r.ts_start) = h.second
  group by 1
)
select
  who, user_agent, requests, 100.0 * requests / sum(requests) over (), throttled, in_hot,
  100.0 * in_hot / nullif(sum(in_hot) over (), 0)
from who
order by requests desc, who
limit 20
