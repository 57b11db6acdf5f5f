-- What programs say of their users: when each was last told that its user is active, and that they are idle. Written about
-- once a minute for everyone who is there, so there is room for new versions of a row in its page and no index on the times.
create table presence (
  organization_id bigint not null,
  user_id bigint not null,
  client text not null,
  active_at timestamptz,
  idle_at timestamptz,
  primary key (organization_id, user_id, client),
  foreign key (organization_id, user_id) references user_account (organization_id, id),
  check (active_at is not null or idle_at is not null)
) with (fillfactor = 60);

-- Of whoever was deactivated nobody hears any more; should they come back, nothing older comes back with them.
create function forget_presence() returns trigger language plpgsql as $$
begin
  delete from presence where organization_id = new.organization_id and user_id = new.id;
  return null;
end $$;
create trigger forget_presence after update of is_active on user_account
  for each row when (old.is_active and not new.is_active) execute function forget_presence();
