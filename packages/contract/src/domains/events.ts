import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { field } from '../kernel/field.ts'
import { domain } from './shape.ts'

export const domainsEvent = z.discriminatedUnion('op', [
  eventSchema('realm_domains', {
    op: field(z.literal('add'), 'A domain was allowed.'),
    realm_domain: field(domain, 'The domain.'),
  }),
  eventSchema('realm_domains', {
    op: field(z.literal('change'), 'A domain was changed.'),
    realm_domain: field(domain, 'The domain, after the change.'),
  }),
  eventSchema('realm_domains', {
    op: field(z.literal('remove'), 'A domain is no longer allowed.'),
    domain: field(z.string(), 'The name of the domain.'),
  }),
])
export type DomainsEvent = z.infer<typeof domainsEvent>
