-- drives Answers by which MinIO says that too few of its drives or nodes respond
-- columns: requests count
select cast(coalesce(sum(requests), 0) as bigint)
from s3_cells
where err in ('SlowDownWrite', 'SlowDownRead')
