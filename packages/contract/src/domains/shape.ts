import { z } from 'zod'
import { field, object } from '../kernel/field.ts'

export const domain = object({
  domain: field(z.string(), 'The name of the domain.'),
  allow_subdomains: field(
    z.boolean(),
    'Whether addresses of subdomains, such as `mail.<domain>`, are allowed too.',
  ),
})
export type Domain = z.infer<typeof domain>

/** Allowed domains, ordered by name. */
export const domains = z.array(domain)
