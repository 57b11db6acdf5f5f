-- Set by the first step of a deletion. From then on the organization cannot be reactivated, by a node of any release.
alter table organization add column deletion_began_at timestamptz;
alter table organization add constraint organization_deletion_check
  check (deletion_began_at is null or deactivated_at is not null);

-- Organizations that were deleted in the last two days. Rows and files that a request wrote too late are removed by it.
create table organization_deletion (
  organization_id bigint primary key,
  deleted_at timestamptz not null default now()
);

-- The head of a deleted organization's log stays for two days: nodes that still follow the log would take a missing
-- head for a database that was rolled back.
alter table event_head drop constraint event_head_organization_id_fkey;
