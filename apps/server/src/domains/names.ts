import { ApiError } from '@oxbow/contract'

const maxDomainCharacters = 255

/** Returns the domain as stored. Throws for an invalid domain. */
export function checkDomain(rawDomain: string): string {
  const domain = rawDomain.trim().toLowerCase()
  const why = findDomainError(domain)
  if (why) throw new ApiError('DOMAIN_INVALID', { why })
  return domain
}

function findDomainError(domain: string): string | undefined {
  if (domain === '') return "Domain can't be empty."
  if (!domain.includes('.')) return 'Domain must have at least one dot (.)'
  if (domain.length > maxDomainCharacters) return 'Domain is too long'
  if (domain.startsWith('.') || domain.endsWith('.')) return 'Domain cannot start or end with a dot (.)'
  for (const label of domain.split('.')) {
    if (label === '') return "Consecutive '.' are not allowed."
    if (label.startsWith('-') || label.endsWith('-')) return "Subdomains cannot start or end with a '-'."
    if (!/^[a-z0-9-]*$/.test(label)) return "Domain can only have letters, numbers, '.' and '-'s."
  }
}
