-- places Where requests came from
-- columns: requests count, addresses count, an_address text, foreign_requests count,
--   a_region text
select h.requests, h.addresses, h.an_address, c.foreign_requests, c.a_region
from (
  select cast(coalesce(sum(requests), 0) as bigint) as requests,
    count(distinct client_ip) as addresses, max(client_ip) as an_address
  from s3_hosts
  where client_ip is not null
) h
cross join (
  select cast(coalesce(sum(case when source_region is not null then requests end), 0) as bigint)
      as foreign_requests,
    max(source_region) as a_region
  from s3_callers
) c
