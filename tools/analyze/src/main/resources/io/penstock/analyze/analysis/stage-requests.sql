-- T27 stage-requests: Requests by query and stage
-- columns: app text, query text, stage text, requests count, reads count, writes count, lists count,
-- deletes count, throttled count, errors count, sent bytes, received bytes, total_ms millis
-- From what each request says about itself: the audit header in an access log, or Penstock's request
-- log. Most requests without a stage are the driver's.
select
  coalesce(app_id, ''),
  coalesce(cast(query as string), ''),
  coalesce(cast(stage as string), ''),
  count(*),
  count(*) filter (where class = 'R'),
  count(*) filter (where class = 'W'),
  count(*) filter (where class = 'L'),
  count(*) filter (where class = 'D'),
  count(*) filter (where throttled),
  count(*) filter (where err is not null and not throttled),
  cast(coalesce(sum(bytes_in), 0) as bigint),
  cast(coalesce(sum(bytes_out), 0) as bigint),
  sum(total_ms)
from s3_requests
where stage is not null or query is not null
group by app_id, query, stage
order by count(*) desc, app_id, query, stage
limit 10000
