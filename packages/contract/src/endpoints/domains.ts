import { z } from 'zod'
import type { ErrorName } from '../errors.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { json, quotableText, textPath } from '../kernel/params.ts'
import { domains } from '../shapes/domain.ts'

const path = '/api/v1/realm/domains/{domain}'
const errors = ['DOMAIN_NOT_FOUND'] as const satisfies ErrorName[]

export const list = endpoint({
  summary: 'The domains that addresses of this organization may have.',
  description: 'Heeded while `emails_restricted_to_domains` is on.',
  method: 'GET',
  path: '/api/v1/realm/domains',
  auth: 'user',
  params: {},
  response: { domains },
  errors: [],
})

export const add = endpoint({
  summary: 'Allow addresses of a domain.',
  method: 'POST',
  path: '/api/v1/realm/domains',
  auth: 'user',
  only: ['administrators'],
  params: { domain: quotableText(z.string()), allow_subdomains: json(z.boolean()) },
  response: { new_domain: z.tuple([z.int(), z.string()]) },
  errors: ['DOMAIN_INVALID', 'DOMAIN_TAKEN'],
})

export const update = endpoint({
  summary: 'Allow or refuse subdomains of a domain.',
  method: 'PATCH',
  path,
  auth: 'user',
  only: ['administrators'],
  params: { domain: textPath(z.string()), allow_subdomains: json(z.boolean()) },
  response: {},
  errors,
})

export const remove = endpoint({
  summary: 'Take a domain away.',
  description:
    'Accounts that have addresses of it stay. With the last one, `emails_restricted_to_domains` is switched off.',
  method: 'DELETE',
  path,
  auth: 'user',
  only: ['administrators'],
  params: { domain: textPath(z.string()) },
  response: {},
  errors,
})
