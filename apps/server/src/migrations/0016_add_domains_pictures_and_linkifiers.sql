-- Clients know a domain by a number too.
alter table organization_domain add column id bigint generated always as identity;

-- A picture's place is the same for all of its versions; the number tells clients that there is another one.
alter table organization
  add column icon_version integer not null default 1,
  add column logo_version integer not null default 1,
  add column night_logo_version integer not null default 1;

-- What texts say in short and where it leads, applied by id.
create table linkifier (
  organization_id bigint not null references organization,
  id bigint generated always as identity,
  pattern text not null,
  url_format text not null,
  primary key (organization_id, id),
  constraint linkifier_pattern_key unique (organization_id, pattern)
);
