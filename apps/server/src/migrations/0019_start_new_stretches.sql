-- What tells that the database is not the one that the log was written in, beside its cluster and timeline: tables that were
-- restored have other oids, and a cluster that was put back from a copy was started since. `alive_at` is written every few
-- seconds: what was lost was written after it.
alter table event_log
  add column table_oid oid,
  add column server_started_at timestamptz,
  add column alive_at timestamptz not null default now();

-- Message ids that were skipped because a lost part of the database may have used them. A search leaves them out.
create table message_id_gap (
  first_id bigint primary key,
  last_id bigint not null,
  check (last_id >= first_id)
);

-- As before, but `timeline` is another one also after PostgreSQL was started again: transaction ids may have gone back.
create or replace function hold_read_state(organization bigint, account bigint)
returns table (own_read_to bigint, newest bigint, xid bigint, xmin bigint, timeline text)
language plpgsql volatile as $$
declare
  is_first boolean := pg_current_xact_id_if_assigned() is null;
begin
  select case when given.is_called then given.last_value else 0 end into newest from message_id given;
  -- One that was taken before the newest id was looked at proves nothing about it.
  if is_first then
    xid := pg_current_xact_id()::text::bigint;
  end if;
  select setting.read_to into own_read_to from user_setting setting
    where setting.organization_id = organization and setting.user_id = account for no key update;
  xmin := pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
  timeline := left(pg_walfile_name(pg_current_wal_lsn()), 8) || ' ' || extract(epoch from pg_postmaster_start_time());
  return next;
end $$;
