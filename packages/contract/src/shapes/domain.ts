import { z } from 'zod'

export const domain = z.strictObject({
  domain: z.string(),
  allow_subdomains: z.boolean().meta({ description: 'Addresses of `mail.<domain>` are allowed too' }),
})
export type Domain = z.infer<typeof domain>

/** By name. */
export const domains = z.array(domain)
