import type { Config } from '../../platform/config/settings.ts'

const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i
const domainLabel = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i

/**
 * Returns whether mail can be sent to the address: its domain contains a dot, or is `localhost`,
 * which is allowed for trials.
 */
export function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  if (at < 1 || text.length > 254 || at > 64) return false
  return localPart.test(text.slice(0, at)) && isMailDomain(text.slice(at + 1))
}

export function isMailDomain(domain: string): boolean {
  if (domain.toLowerCase() === 'localhost') return true
  const labels = domain.split('.')
  return (
    labels.length > 1 && labels.every((part) => domainLabel.test(part)) && !/^\d+$/.test(labels.at(-1) ?? '')
  )
}

/** Lower-cases the domain and keeps the local part as written. */
export function normalizeEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return email.slice(0, at) + email.slice(at).toLowerCase()
}

export const getDomain = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

/** Returns the domain of the placeholder addresses that replace hidden ones. */
export function getHiddenEmailDomain(config: Config): string {
  if (config.hidden_email_domain) return config.hidden_email_domain
  const host = config.external_url ? new URL(config.external_url).hostname : ''
  return isMailDomain(host) ? host : 'localhost'
}

/**
 * Returns the domain of bots' addresses. It is the organization's host if that is a valid mail
 * domain.
 */
export function getBotDomain(config: Config, origin: string): string {
  const host = new URL(origin).hostname
  return isMailDomain(host) ? host : getHiddenEmailDomain(config)
}
