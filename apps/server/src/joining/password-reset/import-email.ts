import type { OrganizationId } from '@oxbow/contract'
import { translateFor } from '@oxbow/texts'
import { getOrganization } from '../../organization/queries.ts'
import { job } from '../../platform/jobs/jobs.ts'
import { sendMail } from '../../platform/mail/mail.ts'
import { joinParagraphs, linkable, mailText, translateMail } from '../../platform/mail/mail-text.ts'
import { findResetRefusal } from './find-target.ts'
import { resetUrl, sealBindingOfReset } from './keys.ts'
import { findOpenReset, findPersonOfReset } from './queries.ts'

/**
 * Job that mails a person of an imported organization the link to set a password, in the language
 * of their account. The payload contains no key. Mails nothing if the link was used or replaced.
 */
export const mailImportLink = job<{ organization_id: OrganizationId; id: number }>({
  name: 'mail_import_link',
  async run(app, { organization_id, id }) {
    const reset = await findOpenReset(app.db, organization_id, id)
    if (!reset) return
    const found = await getOrganization(app.db, organization_id)
    if (findResetRefusal(found)) return
    const { name: organization } = found
    const user = await findPersonOfReset(app.db, reset)
    if (!user) return
    const t = translateFor(user.default_language)
    const link = resetUrl(reset.origin, app.secrets.open(reset.key_sealed, sealBindingOfReset(reset)))
    await sendMail(app, {
      to: user.delivery_email,
      subject: translateMail(t, 'reset.email_moved_subject', { organization }),
      text: joinParagraphs(
        translateMail(t, 'reset.email_moved', { organization, address: linkable(reset.origin) }),
        translateMail(t, 'reset.email_moved_link'),
        mailText`  ${linkable(link)}`,
        translateMail(t, 'reset.email_moved_until', { days: Math.round(reset.lifetime_hours / 24) }),
      ),
    })
  },
})
