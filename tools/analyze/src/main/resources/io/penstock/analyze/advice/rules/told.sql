-- told Answers of S3 that exceptions name
-- columns: status count, code text, answers count
select status, code, cast(sum(answers) as bigint)
from error_messages
group by status, code
order by 3 desc, status, code
