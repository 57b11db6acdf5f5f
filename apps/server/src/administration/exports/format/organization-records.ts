import { organizationSettings, pick } from '@oxbow/contract'
import {
  flag,
  id,
  integer,
  oneOf,
  optionalId,
  optionalTimestamp,
  settingField,
  text,
  textList,
  timestamp,
} from './fields.ts'
import { recordType } from './record-type.ts'

const maxInteger = 2 ** 31 - 1
const version = (about: string) => integer(0, maxInteger, about)

/**
 * Returns SQL for a column of the organization that refers to a stream: the stream's id, or null if
 * the stream is private.
 */
const publicStream = (column: string): string =>
  `(select s.id from stream s where s.organization_id = r.id and s.id = r.${column} and not s.invite_only)`

const {
  authentication_methods: _,
  notifications_stream_id: __,
  signup_notifications_stream_id: ___,
  ...storedSettings
} = organizationSettings

export const organizationRecords = [
  recordType({
    name: 'organization',
    table: 'organization',
    about: 'The organization and its settings. There is exactly one.',
    rows: 'r.id = $organization',
    order: 'r.id',
    inPublic: true,
    fields: {
      created_at: timestamp('when it was created'),
      deactivated_at: optionalTimestamp('when it was deactivated; null if it is active'),
      ...pick(storedSettings, settingField),
      disabled_authentication_methods: textList(100, 'methods that are switched off'),
      notifications_stream_id: optionalId('recipient', 'stream of announcements', {
        publicSql: publicStream('notifications_stream_id'),
      }),
      signup_notifications_stream_id: optionalId('recipient', 'stream of notices about new people', {
        publicSql: publicStream('signup_notifications_stream_id'),
      }),
      icon_source: oneOf(['external', 'uploaded'], 'whether there is a file `organization/icon.png`'),
      icon_version: version('version of the icon'),
      logo_source: oneOf(['default', 'uploaded'], 'whether there is a file `organization/logo.png`'),
      logo_version: version('version of the logo'),
      night_logo_source: oneOf(
        ['default', 'uploaded'],
        'whether there is a file `organization/night_logo.png`',
      ),
      night_logo_version: version('version of the logo for dark mode'),
    },
  }),
  recordType({
    name: 'organization_domain',
    table: 'organization_domain',
    about: 'A domain whose e-mail addresses may join.',
    order: 'r.id',
    inPublic: true,
    fields: {
      domain: text(300, 'the domain in lower case'),
      allow_subdomains: flag('whether its subdomains count'),
    },
  }),
  recordType({
    name: 'linkifier',
    table: 'linkifier',
    about: 'A pattern that turns texts into links.',
    order: 'r.id',
    inPublic: true,
    fields: {
      pattern: text(2_000, 'regular expression'),
      url_format: text(2_000, 'URL with names of groups'),
    },
  }),
  recordType({
    name: 'profile_field',
    table: 'profile_field',
    about: 'A field of the profiles.',
    order: 'r.id',
    inPublic: true,
    fields: {
      id: id('profile_field', 'id of the field'),
      name: text(200, 'label'),
      type: integer(1, 7, 'type of its values; 6 is a list of people'),
      hint: text(1_000, 'help for people who fill it in'),
      field_data: text(100_000, 'JSON with choices, or the pattern of an external account; else empty'),
      position: integer(-maxInteger, maxInteger, 'order of the fields'),
    },
  }),
]
