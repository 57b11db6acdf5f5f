-- Requests for a new password by people who forgot theirs. A row is written for every address that was typed, whether or
-- not it has an account, so that the time of a request reveals nothing. Rows are deleted after a day.
create table password_reset (
  organization_id bigint not null references organization,
  id bigint generated always as identity,
  -- In lower case.
  email text not null,
  -- The account whose owner gets the link; null until the e-mail is made, and for addresses without an account.
  user_id bigint,
  key_hash bytea not null unique,
  key_sealed bytea not null,
  origin text not null,
  -- The address of the caller; of IPv6 the first 64 bits. Null for links that the operator made.
  network cidr,
  created_at timestamptz not null default now(),
  -- Used, replaced by a later one, or invalidated because the account changed.
  ended_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references user_account (organization_id, id)
);
create index password_reset_created on password_reset (created_at);
create index password_reset_email on password_reset (organization_id, email);
create index password_reset_user on password_reset (organization_id, user_id) where user_id is not null;
create index password_reset_network on password_reset (network, created_at) where network is not null;
