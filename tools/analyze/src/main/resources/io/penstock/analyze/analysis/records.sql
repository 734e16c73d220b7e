-- Records records: Records that are no requests
-- columns: what text, reason text, records count, first_file text, position count, sample text
select
  c.what, c.reason, cast(sum(c.records) as bigint), min(f.name), min(c.position), min(c.sample)
from log_cases c
join log_files f on c.file = f.file
group by c.what, c.reason
order by 1, 3 desc, 2
