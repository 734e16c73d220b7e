-- P6 executors-over-time: Requests by executor, over time
-- columns: started time, executor text, requests count, throttled count
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
    coalesce(exec_id, client_ip) AS executor,
    CAST(sum(requests) AS BIGINT) AS requests,
    CAST(sum(throttled) AS BIGINT) AS throttled
  FROM s3_hosts CROSS JOIN span
  GROUP BY 1, 2
),
busiest AS (
  SELECT executor AS name
  FROM cells
  WHERE executor IS NOT NULL
  GROUP BY 1
  ORDER BY sum(throttled) DESC, sum(requests) DESC, 1
  LIMIT 40
)
SELECT started, executor, requests, throttled
FROM cells JOIN busiest ON executor = name
ORDER BY 1, 2
