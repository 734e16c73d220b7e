-- agents The clients, as they call themselves
-- columns: user_agent text, requests count
select user_agent, cast(sum(requests) as bigint) as requests
from s3_callers
where user_agent is not null
group by user_agent
order by requests desc, user_agent
limit 50
