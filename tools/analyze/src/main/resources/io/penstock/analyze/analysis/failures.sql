-- T29 failures: Requests that failed, where and whose
-- columns: status count, error text, requests count, percent percent, api text, path text,
-- path_percent percent, who text, who_percent percent, first time, last time
-- Without those that S3 throttled, and of 304 and 412, which are answers to a condition. percent is of
-- all requests; path_percent and who_percent are the shares of the call and path, and of the requester,
-- with most of these failures.
with failed as (
  select
    coalesce(status, 0) as status, coalesce(err, '') as err, api,
    coalesce(bucket, '') || '/'
      || regexp_extract(coalesce(dir, ''), '^((?:[^/=_.][^/=]*/)*)', 1) as path,
    coalesce(role_arn, requester, app_id) as who,
    count(*) as requests, min(ts_start) as first_start, max(ts_start) as last_start
  from s3_requests
  where (status >= 400 or err is not null) and not throttled and coalesce(status, 0) not in (304, 412)
  group by 1, 2, 3, 4, 5
),
answers as (
  select status, err, sum(requests) as requests, min(first_start) as first_start,
    max(last_start) as last_start
  from failed
  group by 1, 2
),
places as (
  select status, err, api, path, sum(requests) as requests,
    row_number() over (partition by status, err order by sum(requests) desc, api, path) as place
  from failed
  group by 1, 2, 3, 4
),
callers as (
  select status, err, who, sum(requests) as requests,
    row_number() over (partition by status, err order by sum(requests) desc, who) as place
  from failed
  where who is not null
  group by 1, 2, 3
)
select
  nullif(a.status, 0), nullif(a.err, ''), cast(a.requests as bigint),
  100.0 * a.requests / (select sum(requests) from s3_cells),
  p.api, p.path, 100.0 * p.requests / a.requests, c.who, 100.0 * c.requests / a.requests,
  a.first_start, a.last_start
from answers a
join places p on p.status = a.status and p.err = a.err and p.place = 1
left join callers c on c.status = a.status and c.err = a.err and c.place = 1
order by a.requests desc, a.status, a.err
limit 1000
