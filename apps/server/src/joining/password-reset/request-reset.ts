import type { Language } from '@oxbow/texts'
import { isEmailAddress } from '../../identity/accounts/email-address.ts'
import type { App } from '../../platform/app.ts'
import { lockPasswordResets, lockSignInNetwork } from '../../platform/database/locks.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { enqueue } from '../../platform/jobs/jobs.ts'
import { networkOf } from '../../platform/network-of.ts'
import { makeLinkKey } from '../invitations/keys.ts'
import type { ResetTarget } from './find-target.ts'
import { sealBindingOfReset } from './keys.ts'
import { countRequests, insertReset } from './queries.ts'
import { mailPasswordReset } from './reset-email.ts'

/** Limit per hour, because anyone can request an e-mail to any address. */
const maxEmailsPerAddress = 3

export interface ResetRequest {
  /** The address that the person typed. */
  email: string
  /** The caller's IP address. */
  address: string
  /** The language of the e-mail. */
  language: Language
}

export type RequestOutcome = 'sent' | 'malformed' | { retryAfter: number }

/**
 * Requests an e-mail with a link to set a new password. Runs the same statements for every address
 * and leaves the lookup of the account to a job, so neither the outcome nor the response time
 * reveals whether an account exists. Earlier links stay valid until the job mails the new one,
 * because anyone can make this request.
 */
export async function requestPasswordReset(
  app: App,
  { organization, origin }: ResetTarget,
  resetRequest: ResetRequest,
): Promise<RequestOutcome> {
  const email = resetRequest.email.trim().toLowerCase()
  if (!isEmailAddress(email)) return 'malformed'
  const { id: organization_id } = organization
  const network = networkOf(resetRequest.address)
  const { password_resets_per_hour: maxPerNetwork } = app.config
  return inTransaction(app.db, async (tx) => {
    await lockSignInNetwork(tx, network)
    await lockPasswordResets(tx, organization_id, email)
    const counted = await countRequests(tx, { organization_id, email, network })
    if (maxPerNetwork > 0 && counted.of_network >= maxPerNetwork) {
      app.log.warn({ network }, 'refused a request for a forgotten password after too many')
      // The wait is clamped: requests that are counted may have begun after this one, which waited
      // for the lock.
      return { retryAfter: Math.min(3_600, Math.max(1, Math.ceil(counted.network_frees_in))) }
    }
    // The link in the newest e-mail is still valid.
    if (counted.of_address >= maxEmailsPerAddress) return 'sent'
    const { columns } = makeLinkKey(app, sealBindingOfReset({ organization_id, email }))
    const id = await insertReset(tx, { organization_id, email, origin, network, ...columns })
    await enqueue(tx, mailPasswordReset, { organization_id, id, language: resetRequest.language })
    return 'sent'
  })
}
