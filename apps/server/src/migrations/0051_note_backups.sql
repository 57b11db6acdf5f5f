-- The time of the last complete backup, so that monitoring notices if backups are missing. Null: there was none.
alter table server add column backed_up_at timestamptz;
