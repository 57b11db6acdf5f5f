import { z } from 'zod'

export const domain = z.strictObject({
  domain: z.string(),
  allow_subdomains: z.boolean(),
})
export type Domain = z.infer<typeof domain>

/** Allowed domains, ordered by name. */
export const domains = z.array(domain)
