-- P5 prefixes-over-time: Requests by prefix, over time
-- columns: started time, dir text, requests count, throttled count
WITH span AS (
  SELECT min(second) AS first_at, max(second) AS last_at
  FROM s3_by_second
),
cells AS (
  SELECT
    CASE
      WHEN last_at < first_at + INTERVAL '10' MINUTE THEN second
      WHEN last_at < first_at + INTERVAL '2' HOUR THEN
        date_trunc('minute', second)
          + INTERVAL '10' SECOND * CAST(floor(extract(SECOND FROM second) / 10) AS INTEGER)
      WHEN last_at < first_at + INTERVAL '24' HOUR THEN date_trunc('minute', second)
      ELSE date_trunc('hour', second)
    END AS started,
    dir AS dir,
    CAST(sum(requests) AS BIGINT) AS requests,
    CAST(coalesce(sum(requests) FILTER (WHERE throttled), 0) AS BIGINT) AS throttled
  FROM s3_cells CROSS JOIN span
  WHERE api <> 'Wait'
  GROUP BY 1, 2
),
busiest AS (
  SELECT dir AS name
  FROM cells
  WHERE dir IS NOT NULL
  GROUP BY 1
  ORDER BY sum(throttled) DESC, sum(requests) DESC, 1
  LIMIT 30
)
SELECT started, dir, requests, throttled
FROM cells JOIN busiest ON dir = name
ORDER BY 1, 2
