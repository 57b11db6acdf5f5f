-- Changes of many rows that nodes make in batches while they serve requests.
create table background_migration (
  name text primary key,
  -- Where the next batch begins; null before the first one.
  position jsonb,
  rows_done bigint not null default 0,
  -- An estimate, made when the first batch begins.
  rows_total bigint,
  started_at timestamptz,
  updated_at timestamptz,
  finished_at timestamptz,
  -- The error of the newest batch, if it failed.
  failure text
);

-- Migrations after which older releases cannot run: a node refuses to start unless it has the migration `needs`. Each
-- such migration inserts its own row.
create table schema_requirement (
  migration text primary key,
  needs text not null
);
