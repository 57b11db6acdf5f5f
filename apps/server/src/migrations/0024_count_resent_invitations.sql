-- When the letter of an invitation was sent again; times older than a day are dropped when another one is added.
alter table invitation add column resent_at timestamptz[] not null default '{}';
