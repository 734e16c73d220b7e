-- app The application that is advised
-- columns: app_id text, name text, spark_version text, started time, ended time,
--   elapsed_ms millis, joined_by text
select app_id, name, spark_version, started, ended, elapsed_ms, joined_by from advised_app
