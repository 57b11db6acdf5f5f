import { type Language, translateTo } from '@oxbow/texts'
import { sql } from 'kysely'
import type { App } from '../../platform/app.ts'
import { BoundedCache } from '../../platform/bounded-cache.ts'
import type { Db } from '../../platform/database/database.ts'
import { originBelow } from '../../platform/http/host.ts'
import { job } from '../../platform/jobs/jobs.ts'
import { sendMail } from '../../platform/mail/mail.ts'
import { joinParagraphs, linkable, mailText, translateMail } from '../../platform/mail/mail-text.ts'
import { perNode } from '../../platform/per-node.ts'

export interface FinderRequest {
  email: string
  language: Language
}

interface FoundOrganization {
  name: string
  subdomain: string
}

/** Maximum number of organizations in one e-mail. */
const maxOrganizations = 100

/** Lists by name the active organizations in which an active account has this address. */
async function listOrganizationsOf(db: Db, email: string): Promise<FoundOrganization[]> {
  // Addresses are indexed per organization, so this does one index lookup for each organization.
  const { rows } = await sql<FoundOrganization>`
    select organization.name, organization.subdomain
    from organization cross join lateral (
      select from user_account u
      where u.organization_id = organization.id and lower(u.delivery_email) = ${email.toLowerCase()}
        and u.is_active and u.bot_type is null
      limit 1) as account
    where organization.deactivated_at is null
    order by organization.name, organization.subdomain limit ${maxOrganizations}`.execute(db)
  return rows
}

/**
 * E-mails a person the list of their organizations. The job is enqueued for unknown addresses too,
 * so that the response takes equally long; they get no e-mail.
 */
export const mailOrganizations = job<FinderRequest>({
  name: 'mail_organizations',
  async run(app, { email, language }) {
    const root = app.config.external_url
    if (root === undefined) return
    const organizations = await listOrganizationsOf(app.db, email)
    if (organizations.length === 0 || !admitEmail(app, email)) return
    const t = translateTo(language)
    const host = linkable(new URL(root).host)
    const lines = organizations.map(
      ({ name, subdomain }) => mailText`  ${name}\n  ${linkable(originBelow(root, subdomain))}/login`,
    )
    try {
      await sendMail(app, {
        to: email,
        subject: translateMail(t, 'finder.email_subject', { host }),
        text: joinParagraphs(
          translateMail(t, 'finder.email_text', { host }),
          ...lines,
          translateMail(t, 'finder.email_ignore'),
        ),
      })
    } catch (error) {
      // The limit counts only e-mails that were sent. The job is retried.
      uncountEmail(app, email)
      throw error
    }
  },
})

const dayMs = 86_400_000
/** Limit per address and node, because anyone can request an e-mail to any address. */
const maxEmailsPerDay = 3

const getSentEmails = perNode({
  name: 'e-mails with lists of organizations',
  create: () => new BoundedCache<string, { since: number; count: number }>(10_000),
})

/**
 * Returns whether the address may get one more e-mail today, and counts it. Only addresses with an
 * account are counted.
 */
function admitEmail(app: App, email: string, now = Date.now()): boolean {
  const sent = getSentEmails(app)
  const key = email.toLowerCase()
  const earlier = sent.get(key)
  const today = earlier && now - earlier.since < dayMs ? earlier : { since: now, count: 0 }
  if (today.count >= maxEmailsPerDay) return false
  sent.set(key, { ...today, count: today.count + 1 })
  return true
}

/** Subtracts an e-mail that could not be sent from the count. */
function uncountEmail(app: App, email: string): void {
  const today = getSentEmails(app).get(email.toLowerCase())
  if (today && today.count > 0)
    getSentEmails(app).set(email.toLowerCase(), { ...today, count: today.count - 1 })
}
