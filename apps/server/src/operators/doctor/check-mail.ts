import { sql } from 'kysely'
import type { Config } from '../../platform/config/settings.ts'
import type { Db } from '../../platform/database/database.ts'
import { type MailRefusal, tryMailServer } from '../../platform/mail/check-mail-server.ts'
import { isMailWithoutUrl } from '../../platform/mail/mail.ts'
import { type Outcome, ok, problem, warning } from './finding.ts'

/**
 * Checks that the mail server accepts an e-mail of this server: signs in, names the sender and a recipient, and
 * sends nothing.
 */
export async function checkMail(config: Config, recipient: string | undefined): Promise<Outcome> {
  if (config.smtp_url === undefined) return ok('No mail server is set (OXBOW_SMTP_URL).')
  const { default: parseAddresses } = await import('nodemailer/lib/addressparser')
  const [sender] = parseAddresses(config.mail_from, { flatten: true })
  const from = sender?.address ?? ''
  const refusal = await tryMailServer(config.smtp_url, { from, to: recipient })
  if (refusal) return explainRefusal(refusal, from, recipient)
  if (isMailWithoutUrl(config))
    return problem(
      'A mail server is set, but no mail is sent without OXBOW_EXTERNAL_URL.',
      'Set it to the address at which people reach this server, and restart the nodes.',
    )
  return ok(
    recipient === undefined
      ? `The mail server accepts the sender ${from}. It was asked about no recipient, because no owner has an address yet.`
      : `The mail server accepts e-mails from ${from} to ${recipient}.`,
  )
}

function explainRefusal({ step, reason, isTemporary }: MailRefusal, from: string, to = ''): Outcome {
  if (step === 'connect')
    return problem(`No mail can be sent: ${reason}.`, 'Correct OXBOW_SMTP_URL, or start the mail server.')
  if (isTemporary)
    return warning(
      `The mail server does not accept an e-mail from ${from}${to && ` to ${to}`} for now: ${reason}.`,
      'E-mails are sent at a later attempt if it accepts them then. Run this check again in some minutes.',
    )
  if (step === 'sender')
    return problem(
      `The mail server refuses the sender ${from}: ${reason}.`,
      'Set OXBOW_MAIL_FROM to an address that it accepts from this server.',
    )
  return problem(
    `The mail server refuses e-mails to ${to}: ${reason}.`,
    'Let it send e-mails of this server to other domains: with a user and a password in OXBOW_SMTP_URL, or by the address of this machine.',
  )
}

/** Finds the address of an owner, to whom an e-mail could be sent; undefined if there is none. */
export async function findRecipient(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ email: string }>`
    select u.delivery_email as email from user_account u join organization o on o.id = u.organization_id
    where u.role = 100 and u.is_active and u.bot_type is null and o.deactivated_at is null
      and u.delivery_email not like '%.invalid'
    order by u.id limit 1`.execute(db)
  return rows[0]?.email
}
