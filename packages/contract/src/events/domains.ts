import { z } from 'zod'
import { domain } from '../shapes/domain.ts'
import { eventSchema } from './event-schema.ts'

export const domainsEvent = z.discriminatedUnion('op', [
  eventSchema('realm_domains', { op: z.literal('add'), realm_domain: domain }),
  eventSchema('realm_domains', { op: z.literal('change'), realm_domain: domain }),
  eventSchema('realm_domains', { op: z.literal('remove'), domain: z.string() }),
])
export type DomainsEvent = z.infer<typeof domainsEvent>
