-- T9 attempts-per-request: Attempts a request, 11 for more than ten
-- columns: attempts count, chains count, share percent, waited_s seconds
with counted as (
  select attempts, count(*) as chains, sum(waited_ms) / 1000.0 as waited_s
  from s3_chains
  group by attempts
  union all
  select
    1,
    (select cast(coalesce(sum(requests), 0) as bigint) from s3_by_second)
      - (select cast(coalesce(sum(attempts), 0) as bigint) from s3_chains),
    0.0
)
select
  case when attempts > 10 then 11 else attempts end,
  cast(sum(chains) as bigint),
  100.0 * sum(chains) / sum(sum(chains)) over (),
  cast(sum(waited_s) as double)
from counted
where chains > 0
group by case when attempts > 10 then 11 else attempts end
order by 1
