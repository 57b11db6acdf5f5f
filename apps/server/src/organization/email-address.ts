import type { Config } from '../platform/config/settings.ts'

const local = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i

/** An address that mail can be sent to: a dotted domain, or localhost for trying things out. */
export function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  if (at < 1 || text.length > 254 || at > 64) return false
  return local.test(text.slice(0, at)) && isMailDomain(text.slice(at + 1))
}

export function isMailDomain(domain: string): boolean {
  if (domain.toLowerCase() === 'localhost') return true
  const labels = domain.split('.')
  return labels.length > 1 && labels.every((part) => label.test(part)) && !/^\d+$/.test(labels.at(-1) ?? '')
}

/** Case matters to nobody in a domain; in the part before it, it is kept as people write it. */
export function normalizeEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return email.slice(0, at) + email.slice(at).toLowerCase()
}

export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

/** The domain of addresses that only the API understands. */
export function hiddenEmailDomain(config: Config): string {
  if (config.hidden_email_domain) return config.hidden_email_domain
  const host = config.external_url ? new URL(config.external_url).hostname : ''
  return isMailDomain(host) ? host : 'localhost'
}

/** The domain of bots' addresses: the organization's host where that can be one. */
export function botDomain(config: Config, origin: string): string {
  const host = new URL(origin).hostname
  return isMailDomain(host) ? host : hiddenEmailDomain(config)
}
