-- checkpoints Requests for checkpoint files
-- columns: writes count, reads count, bytes bytes
select
  count(*) filter (where class in ('W', 'L')) as writes,
  count(*) filter (where class = 'R') as reads,
  cast(coalesce(sum(case when class = 'W' then bytes_in end), 0) as bigint) as bytes
from s3_requests
where err is null and (dir like '%/offsets/' or dir like '%/commits/' or dir like '%/state/%'
  or dir like '%/sources/%')
