-- files Files written, and the requests for them
-- columns: files count, writes count, bytes bytes, measured count, median_bytes bytes,
--   small count, single_put count, directories count
-- A file is an upload that was completed, or an object put in one request; writes are all that
-- went well, but those of checkpoints and of tables' metadata.
with sizes as (
  select bytes, files, total_bytes, small, kind,
    sum(case when bytes is not null then files end) over (order by bytes) as so_far,
    sum(case when bytes is not null then files end) over () as of_all
  from (
    select bytes, kind, sum(files) as files, sum(total_bytes) as total_bytes, sum(small) as small
    from s3_outputs
    where done = 1
    group by bytes, kind
  ) by_size
)
select
  cast(coalesce(sum(files), 0) as bigint) as files,
  (select cast(coalesce(sum(good_writes), 0) as bigint) from s3_by_dir
    where dir not in (select dir from s3_metadata_dirs)) as writes,
  cast(coalesce(sum(total_bytes), 0) as bigint) as bytes,
  cast(coalesce(max(of_all), 0) as bigint) as measured,
  min(bytes) filter (where so_far >= 0.5 * of_all) as median_bytes,
  cast(coalesce(sum(small), 0) as bigint) as small,
  cast(coalesce(sum(case when kind = 'put' then files end), 0) as bigint) as single_put,
  (select count(*) from s3_by_dir
    where written > 0
      and instr('/' || dir, '/_') = 0 and instr('/' || dir, '/.') = 0
      and dir not in (select dir from s3_metadata_dirs)) as directories
from sizes
