-- T21 dns-names: Names looked up
-- columns: name text, type text, queries count, nxdomain count, nxdomain_percent percent, p95_ms millis
select name, type, queries, nxdomain, 100.0 * nxdomain / queries, p95_ms
from dns_queries
order by queries desc, name, type
limit 1000
