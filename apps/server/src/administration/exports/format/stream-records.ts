import { maxNamedInGroupValue, streamRights } from '@oxbow/contract'
import { z } from 'zod'
import {
  day,
  flag,
  id,
  idList,
  integer,
  markdown,
  oneOf,
  optionalFlag,
  optionalId,
  optionalInteger,
  optionalText,
  optionalTimestamp,
  renderedHtml,
  special,
  specialIds,
  text,
  timestamp,
} from './fields.ts'
import { recordType } from './record-type.ts'

const maxInteger = 2 ** 31 - 1

/** SQL condition: the stream with this id is public. */
export const isPublicStream = (idColumn: string): string =>
  `exists (select from stream s where s.organization_id = r.organization_id and s.id = ${idColumn} and not s.invite_only)`

/** Ids of accounts and groups by right. */
const rightsSchema = z
  .partialRecord(
    z.enum(streamRights),
    z.strictObject({
      direct_members: z.array(z.int()).max(maxNamedInGroupValue),
      direct_subgroups: z.array(z.int()).max(maxNamedInGroupValue + 1),
    }),
  )
  .optional()

const ofPublicStream = isPublicStream('r.stream_id')

export const streamRecords = [
  recordType({
    name: 'stream_folder',
    table: 'stream_folder',
    about: 'A folder of streams of the organization.',
    order: 'r.id',
    inPublic: true,
    fields: {
      id: id('stream_folder', 'id of the folder'),
      name: text(1_000, 'its name'),
      description: markdown('its description'),
      rendered_description: renderedHtml('the description as HTML'),
      position: integer(0, maxInteger, 'folders are shown in this order'),
      is_archived: flag('whether it is archived'),
      created_at: timestamp('when it was created'),
      creator_id: optionalId('user', 'the account that created it; null if that is unknown'),
    },
  }),
  recordType({
    name: 'stream',
    table: 'stream',
    about: 'A stream. Its e-mail address is not exported; an import makes a new one.',
    order: 'r.id',
    inPublic: 'not r.invite_only',
    fields: {
      id: id('recipient', 'id of the stream'),
      name: text(1_000, 'its name'),
      description: markdown('its description'),
      rendered_description: renderedHtml('the description as HTML'),
      invite_only: flag('whether it is private'),
      history_public_to_subscribers: flag('whether new subscribers see older messages'),
      stream_post_policy: integer(1, 3, 'who may write'),
      rights: special(
        rightsSchema,
        'rights that differ from their defaults: ids of the kinds `user` and `user_group`, and of system groups; absent in exports of older releases',
      ),
      message_retention_days: optionalInteger(
        -1,
        maxInteger,
        'days after which messages are deleted; null as in the organization',
      ),
      created_at: timestamp('when it was created'),
      archived_at: optionalTimestamp('when it was archived; null if it is in use'),
      folder_id: optionalId('stream_folder', 'the folder that it is in; null if none'),
    },
  }),
  recordType({
    name: 'conversation',
    table: 'conversation',
    about: 'The people of private messages.',
    order: 'r.id',
    inPublic: false,
    fields: { id: id('recipient', 'id of the conversation'), members: idList('user', 'its people') },
  }),
  recordType({
    name: 'subscription',
    table: 'subscription',
    about: 'An account and a stream to which it is or was subscribed, with its settings for the stream.',
    order: 'r.user_id, r.stream_id',
    inPublic: ofPublicStream,
    fields: {
      user_id: id('user', 'the account'),
      stream_id: id('recipient', 'the stream'),
      is_active: flag('whether it is subscribed now'),
      color: text(50, 'color of the stream', { publicSql: `'#c2c2c2'` }),
      is_muted: flag('whether the stream is muted', { publicSql: 'false' }),
      pin_to_top: flag('whether the stream is pinned', { publicSql: 'false' }),
      desktop_notifications: optionalFlag('null as in the settings of the account', {
        publicSql: 'null::boolean',
      }),
      audible_notifications: optionalFlag('null as in the settings of the account', {
        publicSql: 'null::boolean',
      }),
      push_notifications: optionalFlag('null as in the settings of the account', {
        publicSql: 'null::boolean',
      }),
      email_notifications: optionalFlag('null as in the settings of the account', {
        publicSql: 'null::boolean',
      }),
      wildcard_mentions_notify: optionalFlag('null as in the settings of the account', {
        publicSql: 'null::boolean',
      }),
      read_to: id('message', 'messages of the stream below this id are read', { publicSql: '0' }),
    },
  }),
  recordType({
    name: 'subscription_period',
    table: 'subscription_period',
    about: 'A time in which an account was subscribed to a stream.',
    order: 'r.user_id, r.stream_id, r.from_outbox_id',
    inPublic: ofPublicStream,
    fields: {
      user_id: id('user', 'the account'),
      stream_id: id('recipient', 'the stream'),
      from_outbox_id: id('position', 'position of its beginning among events'),
      to_outbox_id: optionalId('position', 'position of its end; null if it lasts'),
      from_message_id: id('message', 'position of its beginning among messages'),
      to_message_id: optionalId('message', 'position of its end; null if it lasts'),
    },
  }),
  recordType({
    name: 'default_stream',
    table: 'default_stream',
    about: 'A stream to which new accounts are subscribed.',
    order: 'r.stream_id',
    inPublic: ofPublicStream,
    fields: { stream_id: id('recipient', 'the stream') },
  }),
  recordType({
    name: 'default_stream_group',
    table: 'default_stream_group',
    about: 'A set of streams that new people may choose.',
    order: 'r.id',
    inPublic: true,
    fields: {
      id: id('default_stream_group', 'id of the set'),
      name: text(1_000, 'its name'),
      description: text(10_000, 'its description'),
    },
  }),
  recordType({
    name: 'default_stream_group_stream',
    table: 'default_stream_group_stream',
    about: 'A stream of such a set.',
    order: 'r.group_id, r.stream_id',
    inPublic: ofPublicStream,
    fields: { group_id: id('default_stream_group', 'the set'), stream_id: id('recipient', 'the stream') },
  }),
  recordType({
    name: 'stream_section',
    table: 'stream_section',
    about: 'A section of the list of streams of a person who arranged it.',
    order: 'r.user_id, r.position',
    inPublic: false,
    fields: {
      user_id: id('user', 'the person'),
      position: integer(1, 32_767, 'sections are shown in this order'),
      kind: oneOf(['pinned', 'own', 'shared', 'other'], 'what it contains; `own` is a folder of the person'),
      name: optionalText(1_000, 'name of a folder of the person; null for others'),
      folder_id: optionalId('stream_folder', 'the folder of the organization; null for others'),
      stream_ids: specialIds('the streams that the person put into an order'),
    },
  }),
  recordType({
    name: 'muted_topic',
    table: 'muted_topic',
    about: 'A topic that a person muted.',
    order: 'r.user_id, r.stream_id, r.folded_topic',
    inPublic: false,
    fields: {
      user_id: id('user', 'the person'),
      stream_id: id('recipient', 'the stream'),
      topic: text(1_000, 'the topic'),
      muted_at: timestamp('when it was muted'),
    },
  }),
  recordType({
    name: 'topic_attention',
    table: 'topic_attention',
    about: 'A topic that a person follows, or unmuted in a muted stream.',
    order: 'r.user_id, r.stream_id, r.folded_topic',
    inPublic: false,
    fields: {
      user_id: id('user', 'the person'),
      stream_id: id('recipient', 'the stream'),
      topic: text(1_000, 'the topic'),
      policy: oneOf([2, 3], '2 unmuted in a muted stream, 3 followed'),
      changed_at: timestamp('when it was changed last'),
    },
  }),
  recordType({
    name: 'stream_traffic',
    table: 'stream_traffic',
    about: 'The number of messages in a stream on one day, as far as they are counted.',
    order: 'r.stream_id, r.day',
    inPublic: ofPublicStream,
    fields: {
      stream_id: id('recipient', 'the stream'),
      day: day('the day in UTC'),
      messages: integer(1, maxInteger, 'how many'),
    },
  }),
  recordType({
    name: 'traffic_count',
    table: 'traffic_count',
    about: 'Up to which message traffic is counted. There is at most one.',
    order: 'r.counted_to',
    inPublic: true,
    fields: { counted_to: id('message', 'messages up to this id are counted') },
  }),
]
