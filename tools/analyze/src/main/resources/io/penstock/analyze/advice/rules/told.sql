-- told Answers of S3 that exceptions name
-- columns: status count, code text, answers count
select status, code, cast(sum(answers) as bigint)
from error_messages
where app_id is null or app_id in (select app_id from advised_app)
  or (select count(*) from advised_app) = 0
group by status, code
order by 3 desc, status, code
