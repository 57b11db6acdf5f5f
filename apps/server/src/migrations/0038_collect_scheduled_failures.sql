-- The sender of a refused message, or the owner of a bot, is yet to be notified. One notice tells of all failures that
-- wait for it.
alter table scheduled_message add column awaits_notice boolean not null default false;
create index scheduled_message_awaits_notice on scheduled_message (organization_id, sender_id) where awaits_notice;
