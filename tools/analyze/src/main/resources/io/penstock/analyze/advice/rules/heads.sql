-- heads HEAD requests for objects, and for how many
-- columns: heads count, keys count
select count(*) as heads, count(distinct key) as keys
from s3_requests
where api = 'HeadObject'
