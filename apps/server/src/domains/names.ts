import { ApiError } from '@oxbow/contract'

const longest = 255

/** As it is kept. Throws for what can be no domain. */
export function checkDomain(given: string): string {
  const domain = given.trim().toLowerCase()
  const why = findObjection(domain)
  if (why) throw new ApiError('DOMAIN_INVALID', { why })
  return domain
}

function findObjection(domain: string): string | undefined {
  if (domain === '') return "Domain can't be empty."
  if (!domain.includes('.')) return 'Domain must have at least one dot (.)'
  if (domain.length > longest) return 'Domain is too long'
  if (domain.startsWith('.') || domain.endsWith('.')) return 'Domain cannot start or end with a dot (.)'
  for (const label of domain.split('.')) {
    if (label === '') return "Consecutive '.' are not allowed."
    if (label.startsWith('-') || label.endsWith('-')) return "Subdomains cannot start or end with a '-'."
    if (!/^[a-z0-9-]*$/.test(label)) return "Domain can only have letters, numbers, '.' and '-'s."
  }
}
