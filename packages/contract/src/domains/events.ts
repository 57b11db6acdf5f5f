import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { domain } from './shape.ts'

export const domainsEvent = z.discriminatedUnion('op', [
  eventSchema('realm_domains', { op: z.literal('add'), realm_domain: domain }),
  eventSchema('realm_domains', { op: z.literal('change'), realm_domain: domain }),
  eventSchema('realm_domains', { op: z.literal('remove'), domain: z.string() }),
])
export type DomainsEvent = z.infer<typeof domainsEvent>
