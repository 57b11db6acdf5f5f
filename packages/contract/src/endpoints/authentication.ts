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
