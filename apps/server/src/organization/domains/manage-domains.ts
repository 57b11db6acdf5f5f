import { ApiError, type api, type Domain, type ParamsOf, type ResponseOf } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import { recheckActor, writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { OrganizationRow } from '../../platform/database/tables.ts'
import { listAllowedDomains, lockOrganization, updateOrganization } from '../queries.ts'
import { deleteDomain, hasDomains, insertDomain, updateDomain } from './queries.ts'

type Domains = typeof api.domains

export async function listDomains(
  { db }: App,
  { organization_id }: Actor,
): Promise<ResponseOf<Domains['list']>> {
  return { domains: await listAllowedDomains(db, organization_id) }
}

const maxDomainCharacters = 255

/** Returns the domain as stored. Throws for an invalid domain. */
function checkDomain(rawDomain: string): string {
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

export async function addDomain(
  app: App,
  actor: Actor,
  { domain: rawDomain, allow_subdomains }: ParamsOf<Domains['add']>,
): Promise<ResponseOf<Domains['add']>> {
  const domain = checkDomain(rawDomain)
  return changeDomains(app, actor, async (tx, { id: organization_id }) => {
    const id = await insertDomain(tx, organization_id, { domain, allow_subdomains })
    emitDomainChange(tx, organization_id, 'add', { domain, allow_subdomains })
    return { new_domain: [id, domain] }
  })
}

export async function changeDomain(
  app: App,
  actor: Actor,
  { domain: rawDomain, allow_subdomains }: ParamsOf<Domains['update']>,
): Promise<object> {
  const domain = rawDomain.toLowerCase()
  return changeDomains(app, actor, async (tx, { id }) => {
    const wasFound = await updateDomain(tx, id, { domain, allow_subdomains })
    if (!wasFound) throw new ApiError('DOMAIN_NOT_FOUND', { domain: rawDomain })
    emitDomainChange(tx, id, 'change', { domain, allow_subdomains })
    return {}
  })
}

export async function removeDomain(
  app: App,
  actor: Actor,
  { domain: rawDomain }: ParamsOf<Domains['remove']>,
): Promise<object> {
  const domain = rawDomain.toLowerCase()
  return changeDomains(app, actor, async (tx, organization) => {
    const wasFound = await deleteDomain(tx, organization.id, domain)
    if (!wasFound) throw new ApiError('DOMAIN_NOT_FOUND', { domain: rawDomain })
    await turnRestrictionOffIfEmpty(tx, organization)
    emit(tx, {
      organization_id: organization.id,
      event: { type: 'realm_domains', op: 'remove', domain },
      to: { roles: 'everyone' },
    })
    return {}
  })
}

/**
 * Runs `work` while the organization's row is locked, so that concurrent requests that remove the
 * last two domains are serialized.
 */
function changeDomains<Result>(
  app: App,
  actor: Actor,
  work: (tx: Tx, organization: OrganizationRow) => Promise<Result>,
): Promise<Result> {
  return writeAs(app, actor, async (tx) => {
    const organization = await lockOrganization(tx, actor.organization_id)
    await recheckActor(tx, actor)
    return work(tx, organization)
  })
}

function emitDomainChange(
  tx: Tx,
  organization_id: Actor['organization_id'],
  op: 'add' | 'change',
  realm_domain: Domain,
): void {
  emit(tx, {
    organization_id,
    event: { type: 'realm_domains', op, realm_domain },
    to: { roles: 'everyone' },
  })
}

/** Turns the restriction off when the last domain is removed; otherwise nobody could join. */
async function turnRestrictionOffIfEmpty(
  tx: Tx,
  { id, emails_restricted_to_domains: isRestricted }: OrganizationRow,
): Promise<void> {
  if (!isRestricted || (await hasDomains(tx, id))) return
  await updateOrganization(tx, id, { emails_restricted_to_domains: false })
  emit(tx, {
    organization_id: id,
    event: { type: 'realm', op: 'update', property: 'emails_restricted_to_domains', value: false },
    to: { roles: 'everyone' },
    effects: [{ kind: 'organization' }],
  })
}
