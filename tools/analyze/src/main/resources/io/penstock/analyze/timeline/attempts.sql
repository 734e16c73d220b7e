-- attempts attempts-at-one-object: The attempts at one object
-- columns: started time, ended time, took_ms millis, api text, part_no count, attempt count,
-- status count, answer text, sent bytes, got bytes, host text, request_id text
select
  r.ts_start, coalesce(r.ts_end, r.ts_start), r.total_ms, r.api, r.part_no,
  row_number() over (partition by r.chain order by r.ts_start, r.req_id, r.file, r.position),
  r.status,
  case
    when r.cut is not null then 'cut: ' || r.cut
    when r.err is not null then r.err
    when r.status is null then 'none'
    else 'ok'
  end,
  r.bytes_in, r.bytes_out, coalesce(r.client_ip, r.exec_id), coalesce(r.req_id, r.inv_id)
from s3_requests r
join timeline_object o on r.bucket = o.bucket and r.key = o.key
where o.upload is null or r.upload_id = o.upload
order by r.ts_start, r.req_id, r.file, r.position
