-- Folders of streams: those of the organization, and how each account arranges its own list of streams.
-- Nodes of the release before ignore both.

-- Folders that administrators keep for everyone. They are never deleted, but can be archived.
create table stream_folder (
  organization_id bigint not null references organization,
  id bigint generated always as identity,
  name text not null,
  -- The name as names are compared.
  folded_name text not null,
  description text not null,
  rendered_description text not null,
  -- Folders are shown in this order.
  position integer not null,
  is_archived boolean not null default false,
  created_at timestamptz not null default now(),
  creator_id bigint,
  primary key (organization_id, id),
  foreign key (organization_id, creator_id) references user_account (organization_id, id)
);
create unique index stream_folder_name_key on stream_folder (organization_id, folded_name) where not is_archived;

alter table stream
  add column folder_id bigint,
  add constraint stream_folder_fkey foreign key (organization_id, folder_id)
    references stream_folder (organization_id, id);

-- The sections of an account's list of streams, in its own order.
create table stream_section (
  organization_id bigint not null,
  user_id bigint not null,
  position smallint not null,
  kind text not null check (kind in ('pinned', 'own', 'shared', 'other')),
  name text,
  folder_id bigint,
  -- Streams in the order of the account. Ids may be of streams that the account does not see.
  stream_ids bigint[] not null,
  primary key (organization_id, user_id, position),
  foreign key (organization_id, user_id) references user_account (organization_id, id),
  constraint stream_section_folder_fkey foreign key (organization_id, folder_id)
    references stream_folder (organization_id, id),
  check ((kind = 'own') = (name is not null)),
  check ((kind = 'shared') = (folder_id is not null))
);
