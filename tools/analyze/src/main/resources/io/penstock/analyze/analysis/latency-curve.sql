-- P3 latency-curve: How many requests took longer
-- columns: api text, bucket count, requests count, over_1s count, over_5s count, over_10s count, over_30s count, over_60s count
-- A bucket holds durations of 2^((bucket-1)/8) to 2^(bucket/8) ms. Throttled answers are quick and are left out.
-- The billionth keeps exact powers of two where they belong: engines compute log2 with an error.
SELECT
  api,
  CAST(ceil(8 * log2(greatest(ms, 1.0)) - 1e-9) AS BIGINT) AS bucket,
  CAST(sum(requests) AS BIGINT) AS requests,
  CAST(sum(CASE WHEN over_s >= 1 THEN requests ELSE 0 END) AS BIGINT) AS over_1s,
  CAST(sum(CASE WHEN over_s >= 5 THEN requests ELSE 0 END) AS BIGINT) AS over_5s,
  CAST(sum(CASE WHEN over_s >= 10 THEN requests ELSE 0 END) AS BIGINT) AS over_10s,
  CAST(sum(CASE WHEN over_s >= 30 THEN requests ELSE 0 END) AS BIGINT) AS over_30s,
  CAST(sum(CASE WHEN over_s >= 60 THEN requests ELSE 0 END) AS BIGINT) AS over_60s
FROM s3_durations
WHERE NOT throttled AND api <> 'Wait'
GROUP BY 1, 2
ORDER BY 1, 2
