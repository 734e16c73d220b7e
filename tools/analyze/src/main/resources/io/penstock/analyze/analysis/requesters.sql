-- T16 requesters: Who
-- columns: who text, user_agent text, requests count, share percent, throttled count,
-- in_throttled_seconds count, of_throttled_seconds percent
with hot as (
  select second from s3_by_who group by second having sum(throttled) > 0
),
who as (
  select
    w.who,
    min(substr(w.user_agent, 1, 80)) as user_agent,
    cast(sum(w.requests) as bigint) as requests,
    cast(sum(w.throttled) as bigint) as throttled,
    cast(sum(case when h.second is not null then w.requests else 0 end) as bigint) as in_hot
  from s3_by_who w
  left join hot h on w.second = h.second
  group by w.who
)
select
  who, user_agent, requests, 100.0 * requests / sum(requests) over (), throttled, in_hot,
  100.0 * in_hot / nullif(sum(in_hot) over (), 0)
from who
order by requests desc, who
limit 1000
