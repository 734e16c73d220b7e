CREATE TABLE orders USING parquet PARTITIONED BY (day) AS SELECT id, id % 3 AS day FROM range(30);
INSERT OVERWRITE orders SELECT id, id % 3 FROM range(60);
ALTER TABLE orders ADD COLUMNS (note STRING);
SELECT concat(count(*), ' rows in ', count(DISTINCT day), ' partitions') FROM orders;
