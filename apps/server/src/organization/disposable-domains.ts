import { disposableEmailBlocklistSet } from 'disposable-email-domains-js'

// This file is imported dynamically, because the list of domains takes memory.

/** The package would make a new set of all domains for each address that it checks. */
const disposableDomains = disposableEmailBlocklistSet()

/** Returns whether mailboxes of this domain, in lower case, are given to anyone for a short time. */
export const isDisposableEmailDomain = (domain: string): boolean => disposableDomains.has(domain)
