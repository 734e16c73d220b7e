-- The applications of the event logs, and what joins each with the requests: requests name it, or
-- were made while it ran. Where most requests name others, the time proves nothing.
with asked as (
  select min(first_start) as first_request, max(last_start) as last_request,
    sum(requests) as requests
  from s3_cells
), named as (
  select app_id, sum(requests) as requests from s3_callers where app_id is not null group by app_id
), told as (
  select coalesce(sum(requests), 0) as requests from named
), seen as (
  select app_id, max(until) as until from spark_executors group by app_id
)
select a.*, cast(coalesce(n.requests, 0) as bigint) as named_requests,
  case
    when asked.requests is null then null
    when n.requests is not null then 'name'
    when 2 * told.requests > asked.requests then 'nothing'
    when coalesce(a.started, asked.last_request) <= asked.last_request
      and coalesce(a.ended, seen.until, asked.first_request) >= asked.first_request then 'time'
    else 'nothing'
  end as joined_by
from spark_apps a
  cross join asked
  cross join told
  left join named n on n.app_id = a.app_id
  left join seen on seen.app_id = a.app_id
