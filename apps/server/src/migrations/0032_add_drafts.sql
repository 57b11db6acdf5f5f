-- Texts that people have not sent yet.
create table draft (
  organization_id bigint not null,
  user_id bigint not null,
  id bigint generated always as identity,
  -- Empty while the draft has no recipients.
  type text not null check (type in ('', 'stream', 'private')),
  -- One stream, or any number of people. They may be gone or closed to the owner by now.
  recipients bigint[] not null,
  topic text not null,
  content text not null,
  -- When the owner last edited it, in seconds, by the clock of the client or ours.
  edited_at bigint not null,
  primary key (organization_id, user_id, id),
  foreign key (organization_id, user_id) references user_account (organization_id, id)
);
