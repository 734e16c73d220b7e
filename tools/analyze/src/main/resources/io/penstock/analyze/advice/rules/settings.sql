-- settings Its settings
-- columns: kind text, name text, value text
select s.kind, s.name, s.value
from spark_settings s join advised_app a on a.app_id = s.app_id
order by s.kind, s.name, s.value
