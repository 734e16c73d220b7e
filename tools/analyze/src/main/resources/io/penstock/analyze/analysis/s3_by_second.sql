-- Requests by second, bucket and API: what all rates are computed from.
select
  second, bucket, api, class,
  cast(sum(requests) as bigint) as requests,
  cast(coalesce(sum(requests) filter (where throttled), 0) as bigint) as throttled,
  cast(coalesce(
    sum(requests) filter (where err in ('ServiceUnavailable', 'InternalError')), 0) as bigint)
    as unavailable,
  cast(coalesce(sum(requests) filter (where err is not null or status >= 400), 0) as bigint)
    as failed,
  cast(coalesce(
    sum(requests) filter (where throttled or status in (408, 500, 502, 503, 504)
      or err in ('ServiceUnavailable', 'InternalError', 'RequestTimeout')), 0) as bigint)
    as retryable,
  cast(sum(bytes_in) as bigint) as bytes_in,
  cast(sum(bytes_out) as bigint) as bytes_out
from s3_cells
where second is not null
group by 1, 2, 3, 4
