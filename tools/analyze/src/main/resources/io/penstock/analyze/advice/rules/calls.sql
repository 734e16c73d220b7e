-- calls Calls by API
-- columns: api text, class text, requests count, throttled count
select api, class, cast(sum(requests) as bigint) as requests,
  cast(sum(throttled) as bigint) as throttled
from s3_by_second
group by api, class
order by requests desc, api, class
