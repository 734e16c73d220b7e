-- P3 How many requests took longer
-- columns: api text, bucket count, requests count, over_1s count, over_5s count, over_10s count, over_30s count, over_60s count
-- A bucket holds durations of 2^((bucket-1)/8) to 2^(bucket/8) ms. Throttled answers are quick and are left out.
-- The billionth keeps exact powers of two where they belong: engines compute log2 with an error.
SELECT
  api,
  CAST(ceil(8 * log2(greatest(total_ms, 1.0)) - 1e-9) AS BIGINT) AS bucket,
  count(*) AS requests,
  count(*) FILTER (WHERE total_ms > 1000) AS over_1s,
  count(*) FILTER (WHERE total_ms > 5000) AS over_5s,
  count(*) FILTER (WHERE total_ms > 10000) AS over_10s,
  count(*) FILTER (WHERE total_ms > 30000) AS over_30s,
  count(*) FILTER (WHERE total_ms > 60000) AS over_60s
FROM s3_requests
WHERE total_ms IS NOT NULL AND NOT throttled AND api <> 'Wait'
GROUP BY 1, 2
ORDER BY 1, 2
