-- objects timeline-objects: Objects that the text may mean
-- columns: bucket text, key text, upload text, rank count, requests count
-- Rank 0 is what the text names exactly, 1 a key that ends with it, 2 a key that contains it.
select r.bucket, r.key,
  case when r.upload_id = w.text then r.upload_id end,
  case
    when r.bucket || '/' || r.key = w.text or r.key = w.text or r.upload_id = w.text then 0
    when substr(r.key, length(r.key) - length(w.text) + 1) = w.text then 1
    else 2
  end as rank,
  count(*) as requests
from s3_requests r
join timeline_wanted w
  on r.bucket || '/' || r.key = w.text or r.key = w.text or r.upload_id = w.text
    or (length(r.key) > length(w.text) and instr(r.key, w.text) > 0)
group by 1, 2, 3, 4
order by rank, requests desc, r.bucket, r.key
limit 11
