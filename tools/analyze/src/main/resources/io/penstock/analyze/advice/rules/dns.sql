-- dns Look-ups
-- columns: names count, queries count, nxdomain count, s3_queries count, expanded count
-- expanded: names of S3 with a search domain behind them, which cannot exist.
select count(*) as names,
  cast(coalesce(sum(queries), 0) as bigint) as queries,
  cast(coalesce(sum(nxdomain), 0) as bigint) as nxdomain,
  cast(coalesce(sum(case when name like '%amazonaws.com%' then queries end), 0) as bigint)
    as s3_queries,
  cast(coalesce(sum(case when name like '%amazonaws.com.%' and name not like '%amazonaws.com.'
    and name not like '%amazonaws.com.cn' and name not like '%amazonaws.com.cn.'
    then queries end), 0) as bigint) as expanded
from dns_queries
