import { z } from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { textPath } from '../kernel/params.ts'

const externalMethod = z.strictObject({
  name: z.string(),
  display_name: z.string(),
  display_icon: z.string().nullable(),
  login_url: z.string(),
  signup_url: z.string(),
})

export const settings = endpoint({
  summary: 'Get the version of the server, and the ways to sign in.',
  description: 'The fields that begin with `realm_` are absent if the host names no organization.',
  method: 'GET',
  path: '/api/v1/server_settings',
  auth: 'nobody',
  params: {},
  response: {
    authentication_methods: z.record(z.string(), z.boolean()),
    external_authentication_methods: z.array(externalMethod),
    chat_version: z.string(),
    chat_feature_level: z.int(),
    server_version: z.string(),
    push_notifications_enabled: z.boolean(),
    is_incompatible: z.boolean(),
    email_auth_enabled: z.boolean(),
    require_email_format_usernames: z.boolean(),
    realm_uri: z.string().optional(),
    realm_name: z.string().optional(),
    realm_icon: z.string().optional(),
    realm_description: z.string().optional(),
    zulip_version: z.string().optional(),
    zulip_feature_level: z.int().optional(),
  },
  errors: ['INVALID_SUBDOMAIN'],
})

export const checkSubdomain = endpoint({
  summary: 'Check whether an organization can have this subdomain.',
  description: 'Every response is a success; `msg` contains the result.',
  method: 'GET',
  path: '/api/v1/realm/subdomain/{subdomain}',
  auth: 'nobody',
  params: { subdomain: textPath(z.string()) },
  response: { msg: z.string() },
  errors: [],
})
