-- P9 request-sizes: How large requests are
-- columns: api text, bucket count, requests count, bytes bytes
-- A bucket holds sizes of 2^(bucket/2) to 2^((bucket+1)/2) bytes.
-- The billionth keeps exact powers of two where they belong: engines compute log2 with an error.
WITH sizes AS (
  SELECT
    api,
    CASE WHEN api = 'GetObject' THEN bytes_out ELSE coalesce(bytes_in, obj_size) END AS size
  FROM s3_requests
  WHERE api IN ('GetObject', 'UploadPart', 'PutObject') AND err IS NULL AND NOT throttled
)
SELECT
  api,
  CAST(floor(2 * log2(greatest(size, 1)) + 1e-9) AS BIGINT) AS bucket,
  count(*) AS requests,
  CAST(sum(size) AS BIGINT) AS bytes
FROM sizes
WHERE size IS NOT NULL
GROUP BY 1, 2
ORDER BY 1, 2
