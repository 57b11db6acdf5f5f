-- People who are mentioned together.
create table user_group (
  organization_id bigint not null references organization,
  id bigint generated always as identity,
  name text not null,
  description text not null,
  primary key (organization_id, id),
  constraint user_group_name_key unique (organization_id, name)
);

create table user_group_member (
  organization_id bigint not null,
  group_id bigint not null,
  user_id bigint not null,
  primary key (organization_id, group_id, user_id),
  foreign key (organization_id, group_id) references user_group (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references user_account (organization_id, id)
);
