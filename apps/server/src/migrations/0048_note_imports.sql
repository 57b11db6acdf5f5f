-- Imports of organizations that began and did not end. The transaction of an import deletes its row; a row that stays is of an
-- interrupted import, whose files are to be removed. The organization does not exist yet.
create table organization_import (
  organization_id bigint primary key,
  started_at timestamptz not null default clock_timestamp()
);
