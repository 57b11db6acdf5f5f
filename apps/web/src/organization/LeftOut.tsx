import { t } from '../text/t.ts'
import { Notice } from '../ui/Notice.tsx'

/** An address that was not invited, and the reason. */
export interface LeftOut {
  readonly email: string
  readonly reason: string
}

/** Reads the addresses that were not invited from the server's refusal. */
export function readLeftOut(error: unknown): LeftOut[] {
  const { body } = error as { body?: { errors?: unknown } }
  if (!Array.isArray(body?.errors)) return []
  return body.errors.map(([email, reason]) => ({ email: String(email), reason: String(reason) }))
}

/** Lists the addresses that were not invited, each with its reason. */
export function LeftOut({ people }: { people: readonly LeftOut[] }) {
  if (people.length === 0) return null
  return (
    <Notice look="warning">
      <p>{t('invite.left_out')}</p>
      <ul class="InvitePeople-left-out">
        {people.map(({ email, reason }) => (
          <li key={email}>
            <bdi>{email}</bdi>: {reason}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
