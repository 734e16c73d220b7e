-- T26 error-messages: Answers of S3 that exceptions name
-- columns: app_id text, status count, code text, answers count, executors count, seconds count,
-- started time, ended time
-- Logs of the default level tell nothing else of S3. What a client retried without a message is not
-- here.
select app_id, status, code, answers, executors, seconds, started, ended
from error_messages
order by answers desc, app_id, status, code
