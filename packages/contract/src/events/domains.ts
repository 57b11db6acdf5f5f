import { z } from 'zod'
import { domain } from '../shapes/domain.ts'
import { kind } from './kind.ts'

export const domainsEvent = z.discriminatedUnion('op', [
  kind('realm_domains', { op: z.literal('add'), realm_domain: domain }),
  kind('realm_domains', { op: z.literal('change'), realm_domain: domain }),
  kind('realm_domains', { op: z.literal('remove'), domain: z.string() }),
])
export type DomainsEvent = z.infer<typeof domainsEvent>
