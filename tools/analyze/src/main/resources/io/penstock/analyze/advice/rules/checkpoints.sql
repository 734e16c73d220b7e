-- checkpoints Requests for checkpoint files
-- columns: writes count, reads count, bytes bytes
select
  cast(coalesce(sum(requests) filter (where class in ('W', 'L')), 0) as bigint) as writes,
  cast(coalesce(sum(requests) filter (where class = 'R'), 0) as bigint) as reads,
  cast(coalesce(sum(case when class = 'W' then bytes_in end), 0) as bigint) as bytes
from s3_cells
where err is null and dir in (select dir from s3_metadata_dirs)
  and (dir like '%/offsets/' or dir like '%/commits/' or dir like '%/state/%'
  or dir like '%/sources/%')
