-- Adds up what an account uploaded within a day while other uploads of the organization wait.
create index upload_recent on upload (organization_id, owner_id, created_at) include (size);
