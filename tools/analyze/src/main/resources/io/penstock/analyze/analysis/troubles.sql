-- T30 troubles: What the logs of drivers and executors tell of trouble
-- columns: app_id text, trouble text, times count, started time, ended time, example text
-- Beside the answers of S3, which error-messages has. Executors count once each; all else once for
-- each time and process that tells it. Jobs that were given up come first.
select app_id, trouble, times, started, ended, example
from log_troubles
order by case when trouble like 'a job was given up%' then 0 else 1 end, times desc, trouble, app_id
