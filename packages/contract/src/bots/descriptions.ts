import { api } from '../api.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { describeEndpoint, describeEvent, describeFields } from '../kernel/describe.ts'
import { botChange, botEvent } from './events.ts'
import { bot, botService } from './shape.ts'

const apiKey = "The bot's API key."
const defaults = {
  default_sending_stream:
    'The name of the stream that the bot posts to if a request names none. Null if there is no default.',
  default_events_register_stream:
    "The name of the only stream whose messages the bot's event queues receive by default. Null for no restriction.",
  default_all_public_streams:
    "Whether the bot's event queues receive messages of all public streams by default.",
}

const [outgoing, embedded] = botService.options
describeFields(outgoing, {
  base_url: 'The URL that is called.',
  interface: texts.botInterface,
  token: 'The secret by which the called service authenticates this server.',
})
describeFields(embedded, {
  service_name: 'The name of the integration or of the embedded bot.',
  config_data: "The bot's configuration.",
})

const botTexts = describeFields(bot, {
  user_id: texts.botId,
  email: texts.botEmail,
  full_name: texts.botName,
  bot_type: texts.botType,
  is_active: 'Whether the bot is active. False after it was deactivated.',
  owner_id: "The user id of the bot's owner. Null if it has none.",
  api_key: "The bot's API key. Empty for everyone except the bot's owner.",
  avatar_url: "The URL of the bot's avatar.",
  ...defaults,
  services: 'The services of an outgoing webhook or an embedded bot. Empty for other types.',
})

describeFields(api.bots.list.response.bots.element, {
  username: texts.botEmail,
  full_name: texts.botName,
  api_key: apiKey,
  avatar_url: botTexts.avatar_url,
  ...defaults,
})

const settableDefaults = {
  default_sending_stream: 'The name of the stream that the bot posts to if a request names none.',
  default_events_register_stream:
    "The name of the only stream whose messages the bot's event queues receive by default.",
  default_all_public_streams: defaults.default_all_public_streams,
}

describeEndpoint(
  api.bots.create,
  {
    full_name: texts.botName,
    short_name: "The part of the address before `-bot@` and the organization's bot domain.",
    bot_type:
      'The type of the bot: 1 generic, 2 incoming webhook, 3 outgoing webhook. Type 4 (embedded) is refused.',
    payload_url:
      'The URL of an outgoing webhook. The server calls it with each message that mentions the bot in a stream or is sent to it privately, and posts the answer.',
    interface_type: 'How an outgoing webhook is called: 1 sends JSON, 2 sends form fields.',
    service_name: 'The name of the integration that an incoming webhook is for.',
    config_data:
      'Configuration of an incoming webhook or an embedded bot. `webhook_secret` is the secret that the sending service signs with; with it, the bot posts only signed deliveries. An empty `webhook_secret` is none.',
    ...settableDefaults,
  },
  { user_id: texts.botId, api_key: apiKey, avatar_url: botTexts.avatar_url, ...defaults },
)
describeEndpoint(api.bots.list, {}, { bots: 'The active bots that the caller owns, oldest first.' })
describeEndpoint(
  api.bots.update,
  {
    bot_id: texts.botId,
    full_name: 'The new full name. Unchanged if absent.',
    bot_owner_id:
      "The user id of the new owner. Only administrators can change it, and the bot's API key is replaced.",
    config_data:
      'Entries to add to the configuration, or to replace in it. An empty `webhook_secret` removes the secret.',
    service_payload_url: 'The new URL of an outgoing webhook.',
    service_interface: 'How an outgoing webhook is called: 1 sends JSON, 2 sends form fields.',
    ...settableDefaults,
  },
  {
    full_name: texts.botName,
    avatar_url: botTexts.avatar_url,
    service_interface: texts.botInterface,
    service_payload_url: 'The URL of an outgoing webhook from the request. Null if none was given.',
    config_data: 'The configuration from the request. Null if none was given.',
    ...defaults,
    bot_owner: "The address of the bot's owner. Present only if the owner changed.",
  },
)
describeEndpoint(
  api.bots.regenerateApiKey,
  { bot_id: texts.botId },
  { api_key: "The bot's new API key. Empty for everyone except the bot's owner." },
)
describeEndpoint(api.bots.deactivate, { bot_id: texts.botId }, {})

const keys = 'The keys to read or delete. All keys if the list is empty or absent.'
describeEndpoint(api.botStorage.read, { keys }, { storage: 'The stored texts, by their keys.' })
describeEndpoint(
  api.botStorage.write,
  { storage: 'The texts to store, by their keys. Existing keys are replaced.' },
  {},
)
describeEndpoint(api.botStorage.remove, { keys }, {})

const [added, updated, removed, hidden] = botEvent.options
describeEvent(added, {
  op: 'The bot was created or reactivated, or this account may now see it.',
  bot: 'The bot.',
})
describeEvent(updated, {
  op: 'A property of the bot changed.',
  bot: 'The id of the bot, and the changed field with its new value.',
})
describeEvent(removed, { op: 'The bot was deactivated.', bot: 'The bot.' })
describeEvent(hidden, { op: 'This account may no longer see the bot.', bot: 'The bot.' })
describeFields(removed.shape.bot, { user_id: texts.botId, full_name: texts.botName })
describeFields(hidden.shape.bot, { user_id: texts.botId })

const {
  full_name,
  api_key,
  avatar_url,
  owner_id,
  services,
  default_sending_stream,
  default_events_register_stream,
  default_all_public_streams,
} = botTexts
const user_id = texts.botId
describeFields(botChange.options[0], { user_id, full_name })
describeFields(botChange.options[1], { user_id, api_key })
describeFields(botChange.options[2], { user_id, avatar_url })
describeFields(botChange.options[3], { user_id, owner_id })
describeFields(botChange.options[4], { user_id, default_sending_stream })
describeFields(botChange.options[5], { user_id, default_events_register_stream })
describeFields(botChange.options[6], { user_id, default_all_public_streams })
describeFields(botChange.options[7], { user_id, services })
