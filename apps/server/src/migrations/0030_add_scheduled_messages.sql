-- Messages that wait for their time, and reminders. The transaction that sends a message deletes its row.
create table scheduled_message (
  organization_id bigint not null references organization,
  id bigint generated always as identity,
  sender_id bigint not null,
  -- The notification bot sends it to its author.
  is_reminder boolean not null,
  stream_id bigint,
  -- Empty without a stream.
  topic text not null,
  -- The members of the conversation, the sender included, ascending. Null with a stream.
  people bigint[],
  content text not null,
  rendered_content text not null,
  -- `widget_content` of the request.
  widget_content text,
  -- The program that scheduled it, and the scheme and host that it called.
  client text not null,
  origin text not null,
  is_read_by_sender boolean not null,
  deliver_at timestamptz not null,
  -- When the next attempt is due: at the time of delivery, and later after an unexpected error.
  attempt_at timestamptz not null,
  attempts int not null default 0,
  -- Why the message was refused at its time; null while it is pending.
  failure text,
  -- Increases with every change, so that no attempt sends a text that was changed meanwhile.
  revision int not null default 1,
  primary key (organization_id, id),
  foreign key (organization_id, sender_id) references user_account (organization_id, id),
  foreign key (organization_id, stream_id) references stream (organization_id, id),
  check ((stream_id is null) <> (people is null))
);
create index scheduled_message_due on scheduled_message (attempt_at, organization_id, sender_id)
  where failure is null;
create index scheduled_message_sender on scheduled_message (organization_id, sender_id, deliver_at, id);

-- Accounts that ever scheduled a message. A node claims the sender, so that messages of one sender are sent in order;
-- the claim of a node that died ends by itself.
create table scheduled_sender (
  organization_id bigint not null,
  user_id bigint not null,
  claimed_until timestamptz not null default '-infinity',
  claimed_by uuid,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references user_account (organization_id, id)
);

insert into system_account (email, full_name) values ('welcome-bot@oxbow.invalid', 'Welcome Bot');
