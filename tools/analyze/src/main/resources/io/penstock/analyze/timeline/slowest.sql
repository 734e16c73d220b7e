-- slowest timeline-slowest: The object of the slowest request that wrote or read content
-- columns: bucket text, key text, upload text, rank count, requests count
select r.bucket, r.key, cast(null as varchar(1)), 0, 1
from s3_requests r
where r.class in ('W', 'R') and r.total_ms is not null
order by r.total_ms desc, r.ts_start, r.file, r.position
limit 1
