-- An organization may limit its guests to the people of the streams and conversations that they share.
alter table organization add column guests_see_only_shared_people boolean not null default false;
create index user_account_guests on user_account (organization_id, id) where role = 600;

-- A new conversation brings its members into the sight of the guests among them. Nodes render the record;
-- those of the release before, which do not know the audience `guests`, deliver it to nobody.
create or replace function note_conversation_members() returns trigger
language plpgsql set search_path to '$user', 'public' as $$
declare
  guests bigint[];
begin
  insert into conversation_member (organization_id, user_id, conversation_id)
    select new.organization_id, member.id, new.id from unnest(new.members) as member (id);
  if not (select o.guests_see_only_shared_people from organization o where o.id = new.organization_id) then
    return null;
  end if;
  guests := array(
    select u.id from user_account u
    where u.organization_id = new.organization_id and u.id = any(new.members) and u.role = 600 and u.is_active);
  if cardinality(guests) = 0 then
    return null;
  end if;
  -- Waits for concurrent changes of the members, so that their events are rendered before or sent after.
  perform from user_account u
    where u.organization_id = new.organization_id and u.id = any(new.members) order by u.id for no key update;
  insert into outbox (organization_id, width, header, event)
    select new.organization_id, cardinality(new.members) * told.width,
      json_build_object('type', told.type, 'to', json_build_object('guests', json_build_object('users', guests))),
      json_build_object('type', told.type, 'appeared', new.members)::text
    from (values ('realm_user', 2), ('user_status', 1), ('presence', 40)) as told (type, width);
  return null;
end $$;
