import { z } from 'zod'
import { texts } from '../kernel/common-descriptions.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { field, object } from '../kernel/field.ts'
import { textPath } from '../kernel/params.ts'

const ifOrganization = 'Absent if the host names no organization.'

const externalMethod = object({
  name: field(z.string(), 'The name of the method in requests.'),
  display_name: field(z.string(), 'The display name of the method.'),
  display_icon: field(z.string().nullable(), 'The URL of an icon. Null if there is none.'),
  login_url: field(z.string(), 'The URL at which people sign in with the method.'),
  signup_url: field(z.string(), 'The URL at which people create an account with the method.'),
})

export const settings = endpoint({
  summary: 'Get the version of the server, and the ways to sign in.',
  description: 'The fields that begin with `realm_` are absent if the host names no organization.',
  method: 'GET',
  path: '/api/v1/server_settings',
  auth: 'nobody',
  params: {},
  response: {
    authentication_methods: field(
      z.record(z.string(), z.boolean()),
      'Whether each authentication method is enabled, by its name.',
    ),
    external_authentication_methods: field(
      z.array(externalMethod),
      'External authentication methods, in the order to show them in.',
    ),
    chat_version: field(z.string(), texts.chatVersion),
    chat_feature_level: field(z.int(), texts.chatFeatureLevel),
    server_version: field(z.string(), texts.serverVersion),
    push_notifications_enabled: field(z.boolean(), 'Whether the server sends push notifications.'),
    is_incompatible: field(
      z.boolean(),
      'Whether the client, as named by its `User-Agent` header, is too old for the server.',
    ),
    email_auth_enabled: field(
      z.boolean(),
      'Whether users can sign in with an e-mail address and a password.',
    ),
    require_email_format_usernames: field(z.boolean(), 'Whether user names must be e-mail addresses.'),
    realm_uri: field(z.string().optional(), `The URL of the organization. ${ifOrganization}`),
    realm_name: field(z.string().optional(), `The name of the organization. ${ifOrganization}`),
    realm_icon: field(z.string().optional(), `The URL of the organization's icon. ${ifOrganization}`),
    realm_description: field(
      z.string().optional(),
      `The description of the organization, as HTML. ${ifOrganization}`,
    ),
    zulip_version: field(z.string().optional(), texts.zulipVersion),
    zulip_feature_level: field(z.int().optional(), texts.zulipFeatureLevel),
  },
  errors: ['INVALID_SUBDOMAIN'],
})

export const checkSubdomain = endpoint({
  summary: 'Check whether an organization can have this subdomain.',
  description: 'Every response is a success; `msg` contains the result.',
  method: 'GET',
  path: '/api/v1/realm/subdomain/{subdomain}',
  auth: 'nobody',
  params: { subdomain: textPath(z.string(), 'The subdomain to check.') },
  response: { msg: field(z.string(), '`available`, or the reason why it is not, to be shown to users.') },
  errors: [],
})
