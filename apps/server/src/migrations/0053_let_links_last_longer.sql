-- Links of an import, with which people set their first password on this server, are valid for a week.
alter table password_reset add column lifetime_hours integer not null default 1;
