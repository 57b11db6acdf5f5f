import { flag, id, integer, optionalId, optionalText, text } from './fields.ts'
import { recordType } from './record-type.ts'

export const botRecords = [
  recordType({
    name: 'bot_setting',
    table: 'bot_setting',
    about: 'Default streams of a bot.',
    order: 'r.user_id',
    inPublic: false,
    fields: {
      user_id: id('user', 'the bot'),
      default_sending_stream_id: optionalId('recipient', 'stream for messages without one'),
      default_events_register_stream_id: optionalId('recipient', 'stream of its events'),
      default_all_public_streams: flag('whether it gets events of all public streams'),
    },
  }),
  recordType({
    name: 'bot_service',
    table: 'bot_service',
    about:
      'What a bot is connected to. An import makes a new token. Configurations, which contain secrets, are not exported.',
    order: 'r.user_id',
    inPublic: false,
    fields: {
      user_id: id('user', 'the bot'),
      name: optionalText(1_000, 'the service'),
      base_url: text(10_000, 'URL of an outgoing webhook'),
      interface: integer(1, 2, 'format of its requests'),
      has_token: flag('whether it has a token', { sql: 'r.token_sealed is not null' }),
    },
  }),
  recordType({
    name: 'bot_storage',
    table: 'bot_storage',
    about: 'An entry that a bot stored.',
    order: 'r.user_id, r.key_digest',
    inPublic: false,
    fields: {
      user_id: id('user', 'the bot'),
      key: text(10_000_000, 'its key'),
      value: text(10_000_000, 'its value'),
    },
  }),
]
