import { isEmailAddress, normalizeEmail } from '../../organization/email-address.ts'
import { type EmailObjection, findEmailObjection } from '../../organization/email-rules.ts'
import { findOrganization, getOrganization, lockOrganization } from '../../organization/queries.ts'
import type { App } from '../../platform/app.ts'
import type { InvitationRow, OrganizationRow } from '../../platform/database/tables.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import type { ResolvedHost } from '../../platform/http/host.ts'
import { enqueue } from '../../platform/jobs.ts'
import { canSendMail } from '../../platform/mail.ts'
import { makeLinkKey, ownerOfSignUp } from '../keys.ts'
import { findLinkByKey } from '../queries.ts'
import { mailSignUp } from './letter.ts'
import { countSignUps, insertSignUp } from './queries.ts'

/** Where someone can ask to join: by a link for many, or because anyone may. */
export interface Door {
  organization: OrganizationRow
  link: InvitationRow | null
  /** Where the link in the letter leads. */
  origin: string
}

export type Closed = 'gone' | 'no mail'

export async function findDoorOfLink(app: App, key: string, host: ResolvedHost): Promise<Door | Closed> {
  const link = await findLinkByKey(app.db, app.secrets.hash(key))
  if (!link) return 'gone'
  const organization = await getOrganization(app.db, link.organization_id)
  if (organization.deactivated_at || organization.subdomain !== host.subdomain) return 'gone'
  // Not the host that was called: strangers could send letters with links to any host.
  return canSendMail(app) ? { organization, link, origin: link.origin } : 'no mail'
}

/** Without `external_url` the server does not know where it is, and whom it could believe. */
export async function findOpenDoor(app: App, { subdomain, origin }: ResolvedHost): Promise<Door | Closed> {
  const organization = subdomain === null ? undefined : await findOrganization(app.db, subdomain)
  if (!organization || organization.deactivated_at || organization.invite_required) return 'gone'
  return canSendMail(app) && app.config.external_url ? { organization, link: null, origin } : 'no mail'
}

export type Answer = 'sent' | 'malformed' | 'too many' | EmailObjection

/** Nobody needs more letters in a day, and each may go to someone who did not ask for it. */
const mostToOne = 3

/** Whether the address has an account is told in the letter only, to whom it belongs. */
export async function askForLetter(app: App, door: Door, given: string): Promise<Answer> {
  const address = given.trim()
  if (!isEmailAddress(address)) return 'malformed'
  const email = normalizeEmail(address)
  const objection = await findEmailObjection(app.db, door.organization, email)
  if (objection) return objection

  const { organization, link, origin } = door
  const asked = { organization_id: organization.id, email, invitation_id: link?.id ?? null }
  return inTransaction(app.db, async (tx) => {
    const { id: organization_id } = await lockOrganization(tx, organization.id)
    const { all, same } = await countSignUps(tx, asked)
    // They have one that works.
    if (same >= mostToOne) return 'sent'
    if (isTooMany(app, all)) return 'too many'
    const id = await insertSignUp(tx, { ...asked, origin, ...makeLinkKey(app, ownerOfSignUp(asked)).columns })
    await enqueue(tx, mailSignUp, { organization_id, id })
    return 'sent'
  })
}

function isTooMany({ config }: App, letters: number): boolean {
  return config.invites_per_day > 0 && letters >= config.invites_per_day
}
