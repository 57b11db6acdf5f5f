-- The owner of the bot when the delivery was refused: what a service sent is for that person only.
alter table webhook_failure add column owner_id bigint;
update webhook_failure failure set owner_id = bot.bot_owner_id
from user_account bot where bot.organization_id = failure.organization_id and bot.id = failure.bot_id;

-- Names of bots are compared in this form, so that full-width letters make no second name.
create index user_account_comparable_name on user_account (organization_id, lower(normalize(full_name, NFKC)));
