-- Accounts of people whose data was erased. They keep their id, so that what others wrote still fits together, and can
-- never be active again.
alter table user_account add column erased_at timestamptz;
-- All existing rows meet it, so it is not checked for them: the table would be locked meanwhile.
alter table user_account add constraint user_account_erased_check check (erased_at is null or not is_active) not valid;

-- Erasures that are not complete: messages are still searched for mentions, or deleted.
create table user_erasure (
  organization_id bigint not null,
  user_id bigint not null,
  deletes_messages boolean not null,
  -- Messages up to this id contain no mention of the person any more.
  searched_to bigint not null default 0,
  began_at timestamptz not null default now(),
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references user_account (organization_id, id)
);

-- Downloads of one's own data in the last day, which are limited.
create table own_export (
  organization_id bigint not null,
  user_id bigint not null,
  began_at timestamptz not null default clock_timestamp(),
  primary key (organization_id, user_id, began_at),
  foreign key (organization_id, user_id) references user_account (organization_id, id)
);
create index own_export_began_at on own_export (began_at);
