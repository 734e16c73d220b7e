-- places Where requests came from
-- columns: requests count, addresses count, an_address text, foreign_requests count,
--   a_region text
select count(*) as requests, count(distinct client_ip) as addresses, max(client_ip),
  count(source_region) as foreign_requests, max(source_region)
from s3_requests
where client_ip is not null
