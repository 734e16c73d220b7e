-- told_troubles What logs of drivers and executors tell of trouble
-- columns: trouble text, times count, example text
select trouble, cast(sum(times) as bigint), min(example)
from log_troubles
where app_id is null or app_id in (select app_id from advised_app)
  or (select count(*) from advised_app) = 0
group by trouble
order by 2 desc, trouble
