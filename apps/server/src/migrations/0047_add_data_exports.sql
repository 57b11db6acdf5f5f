-- Exports of public data that administrators started. The archive is in the file store, at exports/<organization>/<id>.tar.gz,
-- from finished_at until deleted_at.
create table data_export (
  organization_id bigint not null references organization,
  id bigint generated always as identity,
  acting_user_id bigint not null,
  -- Scheme and host at which the organization was when the export was started.
  origin text not null,
  started_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  failed_at timestamptz,
  deleted_at timestamptz,
  size bigint,
  primary key (organization_id, id),
  foreign key (organization_id, acting_user_id) references user_account (organization_id, id)
);
