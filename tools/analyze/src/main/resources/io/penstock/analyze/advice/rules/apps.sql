-- apps The applications whose event logs are here
-- columns: app_id text
select app_id from spark_apps order by started, app_id
