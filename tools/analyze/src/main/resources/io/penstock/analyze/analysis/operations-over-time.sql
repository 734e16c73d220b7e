-- P2 operations-over-time: Requests a second by API
-- columns: started time, api text, requests count, throttled count
WITH span AS (
  SELECT min(second) AS first_at, max(second) AS last_at
  FROM s3_by_second
)
SELECT
  CASE
    WHEN last_at < first_at + INTERVAL '10' MINUTE THEN date_trunc('second', second)
    WHEN last_at < first_at + INTERVAL '2' HOUR THEN
      date_trunc('minute', second)
        + INTERVAL '10' SECOND * CAST(floor(extract(SECOND FROM second) / 10) AS INTEGER)
    WHEN last_at < first_at + INTERVAL '24' HOUR THEN date_trunc('minute', second)
    ELSE date_trunc('hour', second)
  END AS started,
  api,
  CAST(sum(requests) AS BIGINT) AS requests,
  CAST(sum(throttled) AS BIGINT) AS throttled
FROM s3_by_second CROSS JOIN span
GROUP BY 1, 2
ORDER BY 1, 2
