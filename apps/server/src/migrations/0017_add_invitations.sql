-- To someone's address or, without one, a link that any number of people may use.
create table invitation (
  organization_id bigint not null references organization,
  id bigint generated always as identity,
  email text,
  invited_by bigint not null,
  -- What whoever accepts it becomes.
  role smallint not null check (role in (100, 200, 400, 600)),
  key_hash bytea not null unique,
  key_sealed bytea not null,
  -- Where the link in the letter leads.
  origin text not null,
  -- When the last letter was sent, and how many were.
  invited_at timestamptz not null default now(),
  letters integer not null default 1,
  -- Accepted or taken back.
  ended_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, invited_by) references user_account (organization_id, id)
);
create index invitation_invited on invitation (organization_id, invited_at);
create index invitation_email on invitation (organization_id, lower(email));

-- What whoever accepts it is subscribed to.
create table invitation_stream (
  organization_id bigint not null,
  invitation_id bigint not null,
  stream_id bigint not null,
  primary key (organization_id, invitation_id, stream_id),
  foreign key (organization_id, invitation_id) references invitation (organization_id, id) on delete cascade,
  foreign key (organization_id, stream_id) references stream (organization_id, id)
);

-- Someone who wants to join, by a link for many or where anyone may, and must show first that the address is theirs.
create table sign_up (
  organization_id bigint not null references organization,
  id bigint generated always as identity,
  email text not null,
  -- The link for many.
  invitation_id bigint,
  key_hash bytea not null unique,
  key_sealed bytea not null,
  origin text not null,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, invitation_id) references invitation (organization_id, id) on delete cascade
);
create index sign_up_created on sign_up (organization_id, created_at);
create index sign_up_email on sign_up (organization_id, lower(email));

-- Who joined by whose invitation. It stays when the invitation is forgotten.
create table invited_user (
  organization_id bigint not null,
  user_id bigint not null,
  invited_by bigint not null,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references user_account (organization_id, id),
  foreign key (organization_id, invited_by) references user_account (organization_id, id)
);
