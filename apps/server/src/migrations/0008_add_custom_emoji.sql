create sequence custom_emoji_id;

-- Emoji of an organization's own. They are never deleted: messages and reactions go on showing those that are deactivated.
create table custom_emoji (
  organization_id bigint not null references organization,
  -- Taken before the picture is stored, whose name it is part of.
  id bigint not null,
  name text not null,
  author_id bigint not null,
  -- What its picture is called.
  file text not null,
  is_deactivated boolean not null default false,
  primary key (organization_id, id),
  foreign key (organization_id, author_id) references user_account (organization_id, id)
);
create unique index custom_emoji_name_key on custom_emoji (organization_id, name) where not is_deactivated;
