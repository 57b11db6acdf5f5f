-- Files that people uploaded. The bytes are in the file store, under a key made from `path_id`.
create table upload (
  organization_id bigint not null references organization,
  id bigint generated always as identity,
  owner_id bigint not null,
  -- The path of the file's URL: the organization, two hexadecimal digits, 24 random characters, the sanitized name.
  path_id text not null,
  -- The name that the file had.
  file_name text not null,
  size bigint not null,
  content_type text not null,
  -- Hexadecimal digest of the content.
  sha256 text not null,
  -- Pixels of a picture.
  width integer,
  height integer,
  created_at timestamptz not null default clock_timestamp(),
  -- Since when no message has referred to it; null while one does. A job removes it after a week.
  unclaimed_since timestamptz default clock_timestamp(),
  primary key (organization_id, id),
  constraint upload_path_id_key unique (path_id),
  foreign key (organization_id, owner_id) references user_account (organization_id, id)
);
create index upload_owner on upload (organization_id, owner_id, id);
create index upload_unclaimed on upload (unclaimed_since) where unclaimed_since is not null;

-- Messages that refer to an upload: everyone who may see one of them may read the file. Nodes of the release before
-- delete messages without knowing this table, hence the cascade.
create table upload_claim (
  organization_id bigint not null,
  upload_id bigint not null,
  message_id bigint not null,
  primary key (organization_id, upload_id, message_id),
  foreign key (organization_id, upload_id) references upload (organization_id, id) on delete cascade,
  foreign key (organization_id, message_id) references message (organization_id, id) on delete cascade
);
create index upload_claim_message on upload_claim (organization_id, message_id);

-- Keeps `unclaimed_since`. It is for each row, because deleting a message deletes its claims with a statement of its own.
create function note_upload_claim() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'INSERT' then
    update upload u set unclaimed_since = null
      where u.organization_id = new.organization_id and u.id = new.upload_id and u.unclaimed_since is not null;
    return new;
  end if;
  update upload u set unclaimed_since = clock_timestamp()
    where u.organization_id = old.organization_id and u.id = old.upload_id and not exists (
      select from upload_claim c where c.organization_id = old.organization_id and c.upload_id = old.upload_id);
  return old;
end
$$;
create trigger upload_claimed after insert or delete on upload_claim for each row execute function note_upload_claim();

-- Bytes of all uploads of an organization: adding them up takes too long with millions of files.
create table upload_usage (
  organization_id bigint primary key references organization,
  bytes bigint not null
);

create function count_upload_bytes() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'INSERT' then
    insert into upload_usage as used (organization_id, bytes)
      select a.organization_id, sum(a.size) from added a group by a.organization_id order by a.organization_id
      on conflict (organization_id) do update set bytes = used.bytes + excluded.bytes;
  else
    update upload_usage used set bytes = used.bytes - removed.bytes
      from (select r.organization_id, sum(r.size) as bytes from gone r group by r.organization_id) as removed
      where used.organization_id = removed.organization_id;
  end if;
  return null;
end
$$;
create trigger upload_added after insert on upload referencing new table as added
  for each statement execute function count_upload_bytes();
create trigger upload_removed after delete on upload referencing old table as gone
  for each statement execute function count_upload_bytes();

-- Files that are being received. A row that stays behind is of a node that died, and a job removes its file.
create table unfinished_upload (
  path_id text primary key,
  organization_id bigint not null references organization,
  started_at timestamptz not null default clock_timestamp()
);
