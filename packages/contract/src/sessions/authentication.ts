import { z } from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { field, object } from '../kernel/field.ts'
import { text } from '../kernel/params.ts'

const username = 'The e-mail address of the account.'

const fetched = {
  api_key: field(z.string(), "The account's API key."),
  email: field(z.string(), "The account's API address."),
}

export const fetchApiKey = endpoint({
  summary: "Get an account's API key with its password.",
  method: 'POST',
  path: '/api/v1/fetch_api_key',
  auth: 'nobody',
  params: {
    username: text(z.string(), username),
    password: text(z.string(), 'The password of the account.'),
  },
  response: fetched,
  errors: [
    'INVALID_SUBDOMAIN',
    'INVALID_EMAIL_FORMAT',
    'LOGIN_ACCOUNT_DEACTIVATED',
    'LOGIN_ORGANIZATION_DEACTIVATED',
    'LOGIN_PASSWORD_DISABLED',
    'LOGIN_INCORRECT',
    'RATE_LIMIT_HIT',
  ],
})

export const devFetchApiKey = endpoint({
  summary: "Get an account's API key without a password, on development servers only.",
  method: 'POST',
  path: '/api/v1/dev_fetch_api_key',
  auth: 'nobody',
  params: { username: text(z.string(), username) },
  response: fetched,
  errors: [
    'NOT_A_DEVELOPMENT_SERVER',
    'INVALID_SUBDOMAIN',
    'INVALID_EMAIL_FORMAT',
    'LOGIN_ACCOUNT_DEACTIVATED',
    'LOGIN_ORGANIZATION_DEACTIVATED',
    'LOGIN_NOT_REGISTERED',
  ],
})

const developmentUser = object({
  email: field(z.string(), 'The real e-mail address of the account.'),
  realm_uri: field(z.string(), 'The URL of the organization.'),
})

export const listDevelopmentUsers = endpoint({
  summary: 'List addresses that can sign in without a password, on development servers only.',
  method: 'GET',
  path: '/api/v1/dev_list_users',
  auth: 'nobody',
  params: {},
  response: {
    direct_admins: field(z.array(developmentUser), 'Active administrators and owners.'),
    direct_users: field(z.array(developmentUser), 'All other active people.'),
  },
  errors: ['NOT_A_DEVELOPMENT_SERVER', 'INVALID_SUBDOMAIN'],
})

export const fetchGoogleClientId = endpoint({
  summary: 'Always refused: signing in with Google is not offered.',
  method: 'GET',
  path: '/api/v1/fetch_google_client_id',
  auth: 'nobody',
  params: {},
  response: { google_client_id: field(z.string(), 'The id with which clients would sign in with Google.') },
  errors: ['GOOGLE_CLIENT_ID_MISSING'],
})
