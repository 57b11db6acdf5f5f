import { z } from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { text } from '../kernel/params.ts'

const fetched = { api_key: z.string(), email: z.string() }

export const fetchApiKey = endpoint({
  summary: "Get an account's API key with its password.",
  method: 'POST',
  path: '/api/v1/fetch_api_key',
  auth: 'nobody',
  params: {
    username: text(z.string()),
    password: text(z.string()),
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
  params: { username: text(z.string()) },
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

const developmentUser = z.strictObject({ email: z.string(), realm_uri: z.string() })

export const listDevelopmentUsers = endpoint({
  summary: 'List addresses that can sign in without a password, on development servers only.',
  method: 'GET',
  path: '/api/v1/dev_list_users',
  auth: 'nobody',
  params: {},
  response: { direct_admins: z.array(developmentUser), direct_users: z.array(developmentUser) },
  errors: ['NOT_A_DEVELOPMENT_SERVER', 'INVALID_SUBDOMAIN'],
})

export const fetchGoogleClientId = endpoint({
  summary: 'Always refused: signing in with Google is not offered.',
  method: 'GET',
  path: '/api/v1/fetch_google_client_id',
  auth: 'nobody',
  params: {},
  response: { google_client_id: z.string() },
  errors: ['GOOGLE_CLIENT_ID_MISSING'],
})
