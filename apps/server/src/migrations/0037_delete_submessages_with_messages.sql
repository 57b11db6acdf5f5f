-- Nodes of the release before delete a message without its submessages, which they do not know.
lock table message, submessage in share row exclusive mode;
delete from submessage s
where not exists (select from message m where m.organization_id = s.organization_id and m.id = s.message_id);
alter table submessage
  add foreign key (organization_id, message_id) references message (organization_id, id) on delete cascade;
