import { findOrganization } from '../../organization/queries.ts'
import { isMethodEnabled } from '../../organization/views.ts'
import type { App } from '../../platform/app.ts'
import type { OrganizationRow } from '../../platform/database/tables.ts'
import type { ResolvedHost } from '../../platform/http/host.ts'
import { canSendMail } from '../../platform/mail/mail.ts'

/** An organization whose users can reset their passwords, and the origin of their links. */
export interface ResetTarget {
  organization: OrganizationRow
  /** The origin of the link in the e-mail. */
  origin: string
}

/**
 * Reasons why no password can be reset. They depend on the organization or the server, never on an
 * account.
 */
export type ResetRefusal = 'unknown organization' | 'deactivated' | 'no passwords' | 'no mail'

/**
 * Returns the organization of the host, or why passwords cannot be reset there. Requires a mail
 * server, and `external_url`, because an e-mail must not contain a host from a request.
 */
export async function findResetTarget(
  app: App,
  { subdomain, origin }: ResolvedHost,
): Promise<ResetTarget | ResetRefusal> {
  const organization = subdomain === null ? undefined : await findOrganization(app.db, subdomain)
  if (!organization) return 'unknown organization'
  return findResetRefusal(organization) ?? (canSendMail(app) ? { organization, origin } : 'no mail')
}

/** Returns why nobody in the organization can set a new password, or undefined. */
export function findResetRefusal(organization: OrganizationRow): 'deactivated' | 'no passwords' | undefined {
  if (organization.deactivated_at) return 'deactivated'
  return isMethodEnabled('Email', organization) ? undefined : 'no passwords'
}
