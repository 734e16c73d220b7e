-- writing When stages wrote files
-- columns: submitted time, completed time
select s.submitted, s.completed
from spark_stages s join advised_app a on a.app_id = s.app_id
where s.files_written > 0 and s.submitted is not null and s.completed is not null
order by s.submitted, s.completed
