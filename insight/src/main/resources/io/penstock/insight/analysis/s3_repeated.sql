-- Chains that may hold more than one attempt. Reads of one object are many and mean nothing unless one failed.
select chain
from s3_requests
group by chain
having count(*) > 1
  and (max(class) = 'W' or count(*) filter (where err is not null or status >= 400) > 0)
