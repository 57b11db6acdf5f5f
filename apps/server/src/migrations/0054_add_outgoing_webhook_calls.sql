-- Calls of outgoing webhooks that are to be made. The row is inserted with the message that calls the bot, and deleted
-- with the bot's reply. It has no foreign keys, which would make sends slower: a call without message or bot is deleted.
create table outgoing_webhook_call (
  organization_id bigint not null,
  bot_id bigint not null,
  message_id bigint not null,
  created_at timestamptz not null default now(),
  -- The next attempt.
  due_at timestamptz not null default now(),
  -- A node works on the call until then, unless it dies.
  claimed_until timestamptz not null default '-infinity',
  -- Attempts that were begun.
  attempts integer not null default 0,
  primary key (organization_id, bot_id, message_id)
);
