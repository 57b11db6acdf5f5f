-- Tries to sign in that failed or are under way, by the name that was typed, whether or not such an account exists.
create table sign_in_failure (
  organization_id bigint not null references organization,
  id bigint generated always as identity,
  -- In lower case.
  username text not null,
  -- The address of the caller; of IPv6 the first 64 bits, which one site has for itself.
  network cidr not null,
  -- When the password is compared: a try may be held for some seconds first.
  judged_at timestamptz not null,
  primary key (organization_id, id)
);
create index sign_in_failure_network on sign_in_failure (network, judged_at);
create index sign_in_failure_username on sign_in_failure (organization_id, username, judged_at);

-- Networks from which an account was signed in to with its password.
create table sign_in_network (
  organization_id bigint not null,
  user_id bigint not null,
  network cidr not null,
  last_at timestamptz not null default now(),
  primary key (organization_id, user_id, network),
  foreign key (organization_id, user_id) references user_account (organization_id, id)
);
