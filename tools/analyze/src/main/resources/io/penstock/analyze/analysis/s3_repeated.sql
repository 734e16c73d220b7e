-- Chains that may hold more than one attempt. Reads of one object are many and mean nothing unless one failed.
select chain
from s3_requests
where class = 'W'
group by chain
having count(*) > 1
union
select chain
from s3_requests
where class <> 'W' and (err is not null or status >= 400)
