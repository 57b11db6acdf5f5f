-- What people reacted with. One code may have several names; whoever reacts first chooses the one that all have.
create table reaction (
  organization_id bigint not null,
  message_id bigint not null,
  user_id bigint not null,
  -- unicode_emoji, realm_emoji or chat_extra_emoji.
  reaction_type text not null,
  emoji_code text not null,
  emoji_name text not null,
  -- Whoever reacted first has the lowest.
  id bigint generated always as identity,
  primary key (organization_id, message_id, user_id, reaction_type, emoji_code)
);
