-- Default streams of a bot whose owner is a guest are streams that the owner is or was subscribed to.
update bot_setting setting
set
  default_sending_stream_id = case when exists (
    select from subscription own
    where own.organization_id = setting.organization_id and own.user_id = owner.id
      and own.stream_id = setting.default_sending_stream_id
  ) then default_sending_stream_id end,
  default_events_register_stream_id = case when exists (
    select from subscription own
    where own.organization_id = setting.organization_id and own.user_id = owner.id
      and own.stream_id = setting.default_events_register_stream_id
  ) then default_events_register_stream_id end
from user_account bot
join user_account owner on owner.organization_id = bot.organization_id and owner.id = bot.bot_owner_id
where bot.organization_id = setting.organization_id and bot.id = setting.user_id
  and owner.role = 600
  and (setting.default_sending_stream_id is not null or setting.default_events_register_stream_id is not null);
