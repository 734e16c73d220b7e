-- P1 requests-over-time: Requests and throttled requests a second
-- columns: started time, span_s count, requests count, throttled count, peak count, peak_throttled count
-- Seconds first, so that the busiest second of a longer span is known.
WITH seconds AS (
  SELECT second AS at_second, sum(requests) AS n, sum(throttled) AS n_throttled
  FROM s3_by_second
  GROUP BY 1
),
span AS (
  SELECT min(at_second) AS first_at, max(at_second) AS last_at FROM seconds
),
spans AS (
  SELECT
    CASE
      WHEN last_at < first_at + INTERVAL '1' HOUR THEN 1
      WHEN last_at < first_at + INTERVAL '10' HOUR THEN 10
      WHEN last_at < first_at + INTERVAL '60' HOUR THEN 60
      ELSE 3600
    END AS span_s,
    at_second,
    n,
    n_throttled
  FROM seconds CROSS JOIN span
)
SELECT
  CASE
    WHEN span_s = 1 THEN at_second
    WHEN span_s = 10 THEN
      date_trunc('minute', at_second)
        + INTERVAL '10' SECOND * CAST(floor(extract(SECOND FROM at_second) / 10) AS INTEGER)
    WHEN span_s = 60 THEN date_trunc('minute', at_second)
    ELSE date_trunc('hour', at_second)
  END AS started,
  CAST(max(span_s) AS BIGINT) AS span_s,
  CAST(sum(n) AS BIGINT) AS requests,
  CAST(sum(n_throttled) AS BIGINT) AS throttled,
  CAST(max(n) AS BIGINT) AS peak,
  CAST(max(n_throttled) AS BIGINT) AS peak_throttled
FROM spans
GROUP BY 1
ORDER BY 1
