import { displaySettings, notificationSettings, pick } from '@oxbow/contract'
import { z } from 'zod'
import {
  flag,
  id,
  integer,
  oneOf,
  optionalId,
  optionalOneOf,
  optionalRenderedHtml,
  optionalText,
  optionalTimestamp,
  settingField,
  special,
  specialText,
  text,
  textList,
  timestamp,
} from './fields.ts'
import { recordType } from './record-type.ts'

/** The time zone is in another table. */
const { timezone: _, ...displayColumns } = displaySettings

const maxInteger = 2 ** 31 - 1
const emojiFile = /^\d{1,15}\.(png|gif|webp)$/

/**
 * SQL of the address. With visibility 4, nobody may see addresses, not even administrators who
 * start an export.
 */
const shownEmail = `case when r.bot_type is null and 4 = (
  select o.email_address_visibility from organization o where o.id = r.organization_id) then null else r.delivery_email end`

export const peopleRecords = [
  recordType({
    name: 'system_account',
    table: 'system_account',
    about:
      'An account of the server that writes notices. An import maps it to the account of the new server with the same address.',
    rows: 'true',
    order: 'r.id',
    inPublic: true,
    fields: { id: id('user', 'id of the account'), email: text(320, 'its address') },
  }),
  recordType({
    name: 'user',
    table: 'user_account',
    about:
      'An account: a person or a bot. Passwords and keys are not exported. The files `avatars/<id>-small.png` and `avatars/<id>-medium.png` have its picture.',
    order: 'r.id',
    inPublic: true,
    fields: {
      id: id('user', 'id of the account'),
      email: optionalText(320, 'real address; null if nobody may see it', {
        sql: 'r.delivery_email',
        publicSql: shownEmail,
      }),
      full_name: text(1_000, 'name'),
      role: oneOf([100, 200, 400, 600], 'owner, administrator, member or guest'),
      is_active: flag('false if it was deactivated'),
      bot_type: optionalOneOf(
        [1, 2, 3, 4],
        'generic, incoming webhook, outgoing webhook or embedded; null for people',
      ),
      bot_owner_id: optionalId('user', 'account that owns the bot'),
      avatar_source: oneOf(['external', 'uploaded'], 'whether it has files with its picture'),
      avatar_version: integer(0, maxInteger, 'version of the picture'),
      timezone: text(200, 'time zone, or empty'),
      date_joined: timestamp('when it was created'),
      erased_at: optionalTimestamp("when the person's data was erased; null if it was not"),
    },
  }),
  recordType({
    name: 'user_erasure',
    table: 'user_erasure',
    about:
      'An erasure that is not complete: messages still contain the name of the person. An import completes it.',
    order: 'r.user_id',
    inPublic: true,
    fields: {
      user_id: id('user', 'the person'),
      deletes_messages: flag('whether messages and uploads of the person are deleted too'),
    },
  }),
  recordType({
    name: 'role_period',
    table: 'role_period',
    about: 'A time in which an account was active with one role.',
    order: 'r.user_id, r.from_outbox_id',
    inPublic: true,
    fields: {
      user_id: id('user', 'the account'),
      role: oneOf([100, 200, 400, 600], 'its role'),
      from_outbox_id: id('position', 'position of its beginning among events'),
      to_outbox_id: optionalId('position', 'position of its end; null if it lasts'),
      from_message_id: id('message', 'position of its beginning among messages'),
      to_message_id: optionalId('message', 'position of its end; null if it lasts'),
    },
  }),
  recordType({
    name: 'profile_value',
    table: 'profile_value',
    about: 'The value of a field in a profile.',
    order: 'r.user_id, r.field_id',
    inPublic: true,
    fields: {
      user_id: id('user', 'whose profile'),
      field_id: id('profile_field', 'the field'),
      value: specialText(10_000, 'the value; for a list of people a JSON array of ids of the kind `user`'),
      rendered_value: optionalRenderedHtml('the value as HTML, for types that are rendered'),
    },
  }),
  recordType({
    name: 'user_group',
    table: 'user_group',
    about: 'A group of people that can be mentioned.',
    order: 'r.id',
    inPublic: true,
    fields: {
      id: id('user_group', 'id of the group'),
      name: text(1_000, 'its name'),
      description: text(10_000, 'its description'),
    },
  }),
  recordType({
    name: 'user_group_member',
    table: 'user_group_member',
    about: 'A member of a group.',
    order: 'r.group_id, r.user_id',
    inPublic: true,
    fields: { group_id: id('user_group', 'the group'), user_id: id('user', 'the member') },
  }),
  recordType({
    name: 'user_group_subgroup',
    table: 'user_group_subgroup',
    about: 'A group whose members are members of another group too.',
    order: 'r.group_id, r.subgroup_id',
    inPublic: true,
    fields: {
      group_id: id('user_group', 'the group'),
      subgroup_id: id('user_group', 'the group that it contains'),
    },
  }),
  recordType({
    name: 'custom_emoji',
    table: 'custom_emoji',
    about: 'An emoji of the organization. The file `emoji/<file>` has its picture.',
    order: 'r.id',
    inPublic: true,
    fields: {
      id: id('emoji', 'id of the emoji'),
      name: text(200, 'its name'),
      author_id: id('user', 'the account that added it'),
      file: special(z.string().regex(emojiFile), 'name of the file: the id, and the type of the picture'),
      is_deactivated: flag('whether it can no longer be used'),
    },
  }),
  recordType({
    name: 'user_setting',
    table: 'user_setting',
    about: 'The settings of an account.',
    order: 'r.user_id',
    inPublic: false,
    fields: {
      user_id: id('user', 'the account'),
      enter_sends: flag('whether Enter sends'),
      ...pick({ ...displayColumns, ...notificationSettings }, settingField),
      read_to: id('message', 'messages of streams below this id are read'),
      tutorial_status: oneOf(['waiting', 'started', 'finished'], 'state of the tutorial'),
      seen_hotspots: textList(200, 'hints that were shown'),
    },
  }),
  recordType({
    name: 'user_status',
    table: 'user_status',
    about: 'The status that a person set.',
    order: 'r.user_id',
    inPublic: false,
    fields: {
      user_id: id('user', 'the person'),
      is_away: flag('whether the person is away'),
      status_text: text(1_000, 'the text'),
    },
  }),
  recordType({
    name: 'presence',
    table: 'presence',
    about: 'When a person last used a client.',
    order: 'r.user_id, r.client',
    inPublic: false,
    fields: {
      user_id: id('user', 'the person'),
      client: text(200, 'the client'),
      active_at: optionalTimestamp('when it was last active'),
      idle_at: optionalTimestamp('when it was last idle'),
    },
  }),
  recordType({
    name: 'invited_user',
    table: 'invited_user',
    about: 'Who invited an account.',
    order: 'r.user_id',
    inPublic: false,
    fields: { user_id: id('user', 'the account'), invited_by: id('user', 'the account that invited it') },
  }),
  recordType({
    name: 'alert_word',
    table: 'alert_word',
    about: 'A word that notifies a person.',
    order: 'r.id',
    inPublic: false,
    fields: {
      user_id: id('user', 'the person'),
      word: text(1_000, 'the word in lower case'),
      spelling: text(1_000, 'the word as the person wrote it'),
    },
  }),
  recordType({
    name: 'muted_user',
    table: 'muted_user',
    about: 'An account that a person muted.',
    order: 'r.user_id, r.muted_user_id',
    inPublic: false,
    fields: {
      user_id: id('user', 'the person'),
      muted_user_id: id('user', 'the account that the person muted'),
      muted_at: timestamp('when it was muted'),
    },
  }),
]
