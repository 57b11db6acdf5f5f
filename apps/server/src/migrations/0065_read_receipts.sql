-- Whether people see who has read a message. Organizations that exist keep it off: their people read
-- without knowing that others would see it.
alter table organization add column enable_read_receipts boolean not null default false;
alter table organization alter column enable_read_receipts set default true;
-- Whether others see what this person has read.
alter table user_setting add column send_read_receipts boolean not null default true;
