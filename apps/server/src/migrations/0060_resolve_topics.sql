-- Who may resolve topics: 1 all members, 2 administrators, 3 full members.
alter table organization add column resolve_topics_policy smallint not null default 1
  check (resolve_topics_policy between 1 and 3);
