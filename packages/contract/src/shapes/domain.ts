import { z } from 'zod'

export const domain = z.strictObject({
  domain: z.string(),
  allow_subdomains: z.boolean(),
})
export type Domain = z.infer<typeof domain>

/** By name. */
export const domains = z.array(domain)
