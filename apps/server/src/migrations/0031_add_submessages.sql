-- What people add to an interactive message: the widget itself, votes, options, tasks. Append only.
create table submessage (
  organization_id bigint not null,
  message_id bigint not null,
  -- From the sequence of message ids, taken while the stream is held, so that it compares with the bounds of
  -- subscription periods. The widget that came with the message has a lower id than the message.
  id bigint not null default nextval('message_id'),
  sender_id bigint not null,
  msg_type text not null,
  -- JSON, as it was sent.
  content text not null,
  primary key (organization_id, message_id, id)
);
