-- Whoever writes is also asked whether their organization is still active.
drop function hold_actor(bigint, boolean, bigint, bigint);

create function hold_actor(roles_key bigint, alone boolean, organization bigint, account bigint)
  returns table (role smallint, is_active boolean, api_key_hash bytea, is_organization_deactivated boolean)
  language plpgsql as $$
begin
  if alone then
    perform pg_advisory_xact_lock(roles_key);
  else
    perform pg_advisory_xact_lock_shared(roles_key);
  end if;
  return query select u.role, u.is_active, u.api_key_hash, o.deactivated_at is not null
    from user_account u join organization o on o.id = u.organization_id
    where u.organization_id = organization and u.id = account;
end $$;
