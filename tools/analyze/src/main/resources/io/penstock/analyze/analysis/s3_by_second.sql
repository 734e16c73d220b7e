-- Requests by second, bucket and API: what all rates are computed from.
select
  date_trunc('second', ts_start) as second,
  bucket,
  api,
  class,
  count(*) as requests,
  count(*) filter (where throttled) as throttled,
  count(*) filter (where err in ('ServiceUnavailable', 'InternalError')) as unavailable,
  count(*) filter (where err is not null or status >= 400) as failed,
  count(*) filter (where throttled or status in (408, 500, 502, 503, 504)
    or err in ('ServiceUnavailable', 'InternalError', 'RequestTimeout')) as retryable,
  cast(sum(bytes_in) as bigint) as bytes_in,
  cast(sum(bytes_out) as bigint) as bytes_out
from s3_requests
where ts_start is not null
group by 1, 2, 3, 4
