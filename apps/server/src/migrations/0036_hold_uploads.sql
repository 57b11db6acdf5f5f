-- Texts that are not sent yet and have a link to an upload of their author: drafts and scheduled messages. They keep the
-- file. Texts of other people do not, because without a message those people may not read it.
create table upload_hold (
  organization_id bigint not null,
  id bigint generated always as identity,
  upload_id bigint not null,
  owner_id bigint not null,
  draft_id bigint,
  scheduled_message_id bigint,
  primary key (organization_id, id),
  foreign key (organization_id, upload_id) references upload (organization_id, id) on delete cascade,
  foreign key (organization_id, owner_id, draft_id) references draft (organization_id, user_id, id) on delete cascade,
  foreign key (organization_id, scheduled_message_id) references scheduled_message (organization_id, id) on delete cascade,
  check ((draft_id is null) <> (scheduled_message_id is null))
);
create index upload_hold_upload on upload_hold (organization_id, upload_id);
create index upload_hold_draft on upload_hold (organization_id, owner_id, draft_id) where draft_id is not null;
create index upload_hold_scheduled_message on upload_hold (organization_id, scheduled_message_id) where scheduled_message_id is not null;

-- Finds an upload by the random part of its path: the name after it may be written in several encodings.
create index upload_random_part on upload (organization_id, split_part(path_id, '/', 3));

-- Expiry takes one organization after the other.
drop index upload_unclaimed;
create index upload_unclaimed on upload (organization_id, unclaimed_since) where unclaimed_since is not null;

-- Keeps `unclaimed_since` of uploads for claims and holds. Who adds one has locked the upload before.
create or replace function note_upload_claim() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'INSERT' then
    update upload u set unclaimed_since = null
      where u.organization_id = new.organization_id and u.id = new.upload_id and u.unclaimed_since is not null;
    return new;
  end if;
  -- Waits for transactions that delete other claims of the same upload; otherwise each would still see the other's.
  perform from upload u where u.organization_id = old.organization_id and u.id = old.upload_id for no key update;
  update upload u set unclaimed_since = clock_timestamp()
    where u.organization_id = old.organization_id and u.id = old.upload_id
      and not exists (
        select from upload_claim c where c.organization_id = old.organization_id and c.upload_id = old.upload_id)
      and not exists (
        select from upload_hold h where h.organization_id = old.organization_id and h.upload_id = old.upload_id);
  return old;
end
$$;
create trigger upload_held after insert or delete on upload_hold for each row execute function note_upload_claim();

-- Records which uploads of its author a draft or scheduled message has links to. Its argument is the column of
-- upload_hold for the text. The uploads are locked first, so that none of them is deleted or expires meanwhile; those
-- that another transaction deletes are waited for and left out.
create function hold_uploads() returns trigger language plpgsql set search_path from current as $$
declare
  author bigint;
begin
  if tg_op = 'INSERT' and position('user_uploads/' in new.content) = 0 then
    return null;
  end if;
  if tg_table_name = 'draft' then
    author = new.user_id;
  else
    author = new.sender_id;
  end if;
  execute format($sql$
    with linked as materialized (
      select u.id from upload u
      where u.organization_id = $1 and u.owner_id = $2 and split_part(u.path_id, '/', 3) in (
        select split_part(link, '/', 3) from unnest(string_to_array($4, 'user_uploads/')) as link)
      order by u.id for no key update
    ), dropped as (
      delete from upload_hold h
      where h.organization_id = $1 and h.owner_id = $2 and h.%1$I = $3 and h.upload_id not in (select id from linked)
    )
    insert into upload_hold (organization_id, upload_id, owner_id, %1$I)
    select $1, linked.id, $2, $3 from linked where not exists (
      select from upload_hold h
      where h.organization_id = $1 and h.owner_id = $2 and h.%1$I = $3 and h.upload_id = linked.id)
  $sql$, tg_argv[0]) using new.organization_id, author, new.id, new.content;
  return null;
end
$$;
create trigger draft_holds_uploads after insert or update of content on draft
  for each row execute function hold_uploads('draft_id');
create trigger scheduled_message_holds_uploads after insert or update of content on scheduled_message
  for each row execute function hold_uploads('scheduled_message_id');

-- Runs the triggers for texts that are there already.
update draft set content = content where content like '%user_uploads/%';
update scheduled_message set content = content where content like '%user_uploads/%';
