-- Bytes that the uploads of an organization may have together; null for no limit. In a migration of its own, because it
-- locks out even readers of a table that every request reads.
alter table organization add column upload_quota bigint;
