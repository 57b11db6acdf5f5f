import { findOrganization } from '../organization/queries.ts'
import { isMethodEnabled } from '../organization/views.ts'
import type { App } from '../platform/app.ts'
import type { OrganizationRow } from '../platform/database/tables.ts'
import type { ResolvedHost } from '../platform/http/host.ts'
import { canSendMail } from '../platform/mail.ts'

/** The organization whose users may ask for a new password. */
export interface ResetEntry {
  organization: OrganizationRow
  /** The origin of the link in the e-mail. */
  origin: string
}

/** Reasons that concern the organization or the server, and never an account. */
export type EntryRefusal = 'gone' | 'deactivated' | 'no passwords' | 'no mail'

/** Requires a mail server, and `external_url`, because the host of a request cannot be trusted in an e-mail. */
export async function findResetEntry(
  app: App,
  { subdomain, origin }: ResolvedHost,
): Promise<ResetEntry | EntryRefusal> {
  const organization = subdomain === null ? undefined : await findOrganization(app.db, subdomain)
  if (!organization) return 'gone'
  return findObjection(organization) ?? (canSendMail(app) ? { organization, origin } : 'no mail')
}

/** Returns why nobody in the organization can set a new password, or undefined. */
export function findObjection(organization: OrganizationRow): 'deactivated' | 'no passwords' | undefined {
  if (organization.deactivated_at) return 'deactivated'
  return isMethodEnabled('Email', organization) ? undefined : 'no passwords'
}
