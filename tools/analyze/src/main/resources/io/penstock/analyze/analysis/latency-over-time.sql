-- P4 latency-over-time: How long requests took, over time
-- columns: started time, bucket count, requests count
-- A bucket holds durations of 2^bucket to 2^(bucket+1) ms.
-- The billionth keeps exact powers of two where they belong: engines compute log2 with an error.
WITH span AS (
  SELECT min(second) AS first_at, max(second) AS last_at
  FROM s3_by_second
),
seconds AS (
  SELECT
    date_trunc('second', ts_start) AS second,
    CAST(floor(log2(greatest(total_ms, 1.0)) + 1e-9) AS BIGINT) AS bucket,
    count(*) AS requests
  FROM s3_requests
  WHERE total_ms IS NOT NULL AND NOT throttled AND api <> 'Wait'
  GROUP BY 1, 2
)
SELECT
  CASE
    WHEN last_at < first_at + INTERVAL '10' MINUTE THEN second
    WHEN last_at < first_at + INTERVAL '2' HOUR THEN
      date_trunc('minute', second)
        + INTERVAL '10' SECOND * CAST(floor(extract(SECOND FROM second) / 10) AS INTEGER)
    WHEN last_at < first_at + INTERVAL '24' HOUR THEN date_trunc('minute', second)
    ELSE date_trunc('hour', second)
  END AS started,
  bucket,
  CAST(sum(requests) AS BIGINT) AS requests
FROM seconds CROSS JOIN span
GROUP BY 1, 2
ORDER BY 1, 2
