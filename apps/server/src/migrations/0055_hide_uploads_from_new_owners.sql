-- A bot that got another owner no longer reads what it uploaded before, unless a message shows it the file.
alter table upload add column is_hidden_from_owner boolean not null default false;
