import { z } from 'zod'
import type { ErrorName } from '../errors.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { field } from '../kernel/field.ts'
import { json, quotableText, textPath } from '../kernel/params.ts'
import { domains } from './shape.ts'

const path = '/api/v1/realm/domains/{domain}'
const errors = ['DOMAIN_NOT_FOUND'] as const satisfies ErrorName[]

export const list = endpoint({
  summary: 'List the domains that e-mail addresses in the organization may have.',
  description: 'The list applies only while the setting `emails_restricted_to_domains` is on.',
  method: 'GET',
  path: '/api/v1/realm/domains',
  auth: 'user',
  params: {},
  response: { domains: field(domains, 'The allowed domains, ordered by name.') },
  errors: [],
})

export const add = endpoint({
  summary: 'Allow e-mail addresses of a domain.',
  method: 'POST',
  path: '/api/v1/realm/domains',
  auth: 'user',
  only: ['administrators'],
  params: {
    domain: quotableText(z.string(), 'The name of the domain.'),
    allow_subdomains: json(
      z.boolean(),
      'Whether addresses of subdomains, such as `mail.<domain>`, are allowed too.',
    ),
  },
  response: {
    new_domain: field(z.tuple([z.int(), z.string()]), 'The id and the name of the new domain, in a list.'),
  },
  errors: ['DOMAIN_INVALID', 'DOMAIN_TAKEN'],
})

export const update = endpoint({
  summary: 'Change whether subdomains of an allowed domain are allowed.',
  method: 'PATCH',
  path,
  auth: 'user',
  only: ['administrators'],
  params: {
    domain: textPath(z.string(), 'The name of the domain.'),
    allow_subdomains: json(
      z.boolean(),
      'Whether addresses of subdomains, such as `mail.<domain>`, are allowed too.',
    ),
  },
  response: {},
  errors,
})

export const remove = endpoint({
  summary: 'Remove an allowed domain.',
  description:
    'Existing accounts with addresses of the domain are kept. Removing the last domain switches `emails_restricted_to_domains` off.',
  method: 'DELETE',
  path,
  auth: 'user',
  only: ['administrators'],
  params: { domain: textPath(z.string(), 'The name of the domain.') },
  response: {},
  errors,
})
