-- Background work of a restored backup waits until the operator resumes it: the original server may have sent the same
-- e-mails since, or may still run. Null: jobs run.
alter table server add column jobs_held_since timestamptz;
