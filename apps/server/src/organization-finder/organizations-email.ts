import { type Language, translateTo } from '@oxbow/texts'
import type { App } from '../platform/app.ts'
import { BoundedCache } from '../platform/bounded-cache.ts'
import { originBelow } from '../platform/http/host.ts'
import { job } from '../platform/jobs.ts'
import { sendMail, toOneLine } from '../platform/mail.ts'
import { perNode } from '../platform/per-node.ts'
import { listOrganizationsOf } from './queries.ts'

export interface FinderRequest {
  email: string
  language: Language
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
    const { host } = new URL(root)
    const lines = organizations.map(
      ({ name, subdomain }) => `  ${toOneLine(name)}\n  ${originBelow(root, subdomain)}/login\n`,
    )
    try {
      await sendMail(app, {
        to: email,
        subject: t('finder.email_subject', { host }),
        text: `${t('finder.email_text', { host })}\n\n${lines.join('\n')}\n${t('finder.email_ignore')}\n`,
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
