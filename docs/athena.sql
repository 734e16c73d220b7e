-- The questions of penstock analyze in Athena
--
-- penstock analyze reads logs where they are, from a directory or from s3://, and needs no
-- tables. If your logs are queried with Athena already, this file has the tables and the
-- questions to paste. Replace the bucket, the account, the region, the role, the days
-- and the times. A test (AthenaPageTest) takes the statements from this file, runs the
-- questions on Trino, the engine behind Athena, and compares the answers with those of penstock
-- analyze. The two table definitions are parsed by Spark, which has Hive's dialect. Athena
-- itself was not available for a trial: whether it cuts the days that a question names out of
-- the table is documented by AWS, and not tested here.

-- === S3 server access logs ===
-- Have S3 deliver the logs with date-based partitions and the partition date source EventTime.
-- Then a question about one day reads the logs of one day.

CREATE EXTERNAL TABLE s3_logs.access_log (
  bucket_owner STRING, bucket STRING, requested STRING, remote_ip STRING, requester STRING,
  request_id STRING, operation STRING, key STRING, request_uri STRING, status STRING,
  error_code STRING, bytes_sent STRING, object_size STRING, total_ms STRING, turn_around_ms STRING,
  referer STRING, user_agent STRING, rest STRING)
PARTITIONED BY (day STRING)
ROW FORMAT SERDE 'org.apache.hadoop.hive.serde2.RegexSerDe'
WITH SERDEPROPERTIES ('input.regex' =
  '([^ ]*) ([^ ]*) \\[([^\\]]*)\\] ([^ ]*) ([^ ]*) ([^ ]*) ([^ ]*) +([^ ]*) (\".*?\"|-) ([0-9]{3}|-) ([^ ]*) ([0-9]+|-) ([0-9]+|-) ([0-9]+|-) ([0-9]+|-) (\".*?\"|-) (\".*?\"|-)( .*)?')
STORED AS INPUTFORMAT 'org.apache.hadoop.mapred.TextInputFormat'
OUTPUTFORMAT 'org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat'
LOCATION 's3://LOG-BUCKET/PREFIX/111122223333/us-east-1/lake/'
TBLPROPERTIES (
  'projection.enabled' = 'true',
  'projection.day.type' = 'date',
  'projection.day.format' = 'yyyy/MM/dd',
  'projection.day.range' = '2026/01/01,NOW',
  'projection.day.interval' = '1',
  'projection.day.interval.unit' = 'DAYS',
  'storage.location.template' = 's3://LOG-BUCKET/PREFIX/111122223333/us-east-1/lake/${day}/');

-- Lines that the pattern does not match become rows of NULL; count them before you trust the
-- rest: SELECT count(*) FROM s3_logs.access_log WHERE day = '2026/06/04' AND request_id IS
-- NULL.
-- --- Requests and throttles by operation
-- S3 may deliver a line twice, so the questions take each request once. A bulk delete also has
-- a line for each object (BATCH.DELETE.OBJECT), and a copy one for its source
-- (REST.COPY.OBJECT_GET); only the line of the call itself counts as a request. Of the answers
-- with 503, ServiceUnavailable is a trouble inside S3 and no throttling.

WITH requests AS (
  SELECT DISTINCT request_id, operation, status, error_code, total_ms,
         date_parse(requested, '%d/%b/%Y:%H:%i:%s +0000') AS at
  FROM s3_logs.access_log
  WHERE day BETWEEN '2026/06/04' AND '2026/06/04'
    AND requester LIKE '%:assumed-role/SparkJobRole/%'
    AND operation LIKE 'REST.%'
    AND operation NOT IN ('REST.COPY.OBJECT_GET', 'REST.COPY.PART_GET'))
SELECT operation,
       count(*) AS requests,
       count_if(status = '503' AND error_code IN ('SlowDown', '-')) AS throttled,
       round(100.0 * count_if(status = '503' AND error_code IN ('SlowDown', '-')) / count(*), 2)
         AS throttled_percent,
       approx_percentile(try_cast(total_ms AS bigint), ARRAY[0.5, 0.95, 0.99]) AS p50_p95_p99_ms,
       count_if(try_cast(total_ms AS bigint) > 5000) AS over_5s
FROM requests
WHERE at >= timestamp '2026-06-04 03:27:00' AND at < timestamp '2026-06-04 03:30:00'
GROUP BY operation
ORDER BY requests DESC;

-- --- Requests and throttles a second
-- The first ten rows are the busiest seconds; ORDER BY second instead gives the curve.

WITH requests AS (
  SELECT DISTINCT request_id, operation, status, error_code,
         date_parse(requested, '%d/%b/%Y:%H:%i:%s +0000') AS at
  FROM s3_logs.access_log
  WHERE day BETWEEN '2026/06/04' AND '2026/06/04'
    AND requester LIKE '%:assumed-role/SparkJobRole/%'
    AND operation LIKE 'REST.%'
    AND operation NOT IN ('REST.COPY.OBJECT_GET', 'REST.COPY.PART_GET'))
SELECT at AS second,
       count(*) AS requests,
       count_if(operation NOT LIKE 'REST.GET.%' AND operation NOT LIKE 'REST.HEAD.%') AS writes,
       count_if(status = '503' AND error_code IN ('SlowDown', '-')) AS throttled
FROM requests
WHERE at >= timestamp '2026-06-04 03:27:00' AND at < timestamp '2026-06-04 03:30:00'
GROUP BY at
ORDER BY requests DESC, second
LIMIT 10;

-- --- Which prefix was throttled

SELECT regexp_extract(key, '^(.*/)') AS prefix,
       count(DISTINCT request_id) AS throttled
FROM s3_logs.access_log
WHERE day BETWEEN '2026/06/04' AND '2026/06/04'
  AND status = '503' AND error_code IN ('SlowDown', '-')
  AND operation LIKE 'REST.%'
GROUP BY 1
ORDER BY throttled DESC
LIMIT 20;

-- === CloudTrail ===
-- Only a trail that logs data events of the bucket has the requests for objects.

CREATE EXTERNAL TABLE s3_logs.cloudtrail (
  eventtime STRING, eventsource STRING, eventname STRING, awsregion STRING, sourceipaddress STRING,
  useragent STRING, errorcode STRING, requestparameters STRING, additionaleventdata STRING,
  requestid STRING, eventid STRING, readonly STRING,
  useridentity STRUCT<type:STRING, arn:STRING, accountid:STRING, username:STRING,
    sessioncontext:STRUCT<sessionissuer:STRUCT<type:STRING, arn:STRING, username:STRING>>>)
PARTITIONED BY (day STRING)
ROW FORMAT SERDE 'org.apache.hive.hcatalog.data.JsonSerDe'
STORED AS INPUTFORMAT 'com.amazon.emr.cloudtrail.CloudTrailInputFormat'
OUTPUTFORMAT 'org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat'
LOCATION 's3://TRAIL-BUCKET/AWSLogs/111122223333/CloudTrail/us-east-1/'
TBLPROPERTIES (
  'projection.enabled' = 'true',
  'projection.day.type' = 'date',
  'projection.day.format' = 'yyyy/MM/dd',
  'projection.day.range' = '2026/01/01,NOW',
  'projection.day.interval' = '1',
  'projection.day.interval.unit' = 'DAYS',
  'storage.location.template' =
    's3://TRAIL-BUCKET/AWSLogs/111122223333/CloudTrail/us-east-1/${day}/');

-- --- Requests and throttles by operation

SELECT eventname,
       count(DISTINCT eventid) AS requests,
       count(DISTINCT if(errorcode = 'SlowDown', eventid)) AS throttled
FROM s3_logs.cloudtrail
WHERE day BETWEEN '2026/06/04' AND '2026/06/04'
  AND eventsource = 's3.amazonaws.com'
  AND eventtime >= '2026-06-04T03:27:00Z' AND eventtime < '2026-06-04T03:30:00Z'
  AND useridentity.sessioncontext.sessionissuer.arn
      = 'arn:aws:iam::111122223333:role/SparkJobRole'
GROUP BY eventname
ORDER BY requests DESC;

-- --- Requests and throttles a second

SELECT eventtime AS second,
       count(DISTINCT eventid) AS requests,
       count(DISTINCT if(readonly = 'false', eventid)) AS writes,
       count(DISTINCT if(errorcode = 'SlowDown', eventid)) AS throttled
FROM s3_logs.cloudtrail
WHERE day BETWEEN '2026/06/04' AND '2026/06/04'
  AND eventsource = 's3.amazonaws.com'
  AND eventtime >= '2026-06-04T03:27:00Z' AND eventtime < '2026-06-04T03:30:00Z'
  AND useridentity.sessioncontext.sessionissuer.arn
      = 'arn:aws:iam::111122223333:role/SparkJobRole'
GROUP BY eventtime
ORDER BY requests DESC, second
LIMIT 10;

-- === What differs from the queries that are published with EMRFS's AIMD ===
-- - They parse the time of each row and compare that. Nothing then tells Athena which days to
--   leave out, so each question reads the whole trail and you pay for it. Here each question
--   names its days.
-- - They count each row. Both kinds of log may hold a record twice.
-- - They give throttled requests without the total, one operation at a time. Throttled writes
--   are limited at another rate than reads, so a share needs both (published shares are of the
--   writes).
-- - Not in either: requests that belong together. penstock analyze follows the attempts at each
--   file (--tables attempts), finds what waiting cost (cost) and reads Spark's event log beside
--   it.
