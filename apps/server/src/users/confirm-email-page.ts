import type { App } from '../platform/app.ts'
import { html } from '../platform/html.ts'
import { resolveRequest } from '../platform/http/host.ts'
import type { Page } from '../platform/http/http-server.ts'
import { form } from '../platform/pages/fields.ts'
import { getKey, readForm } from '../platform/pages/read-form.ts'
import { sendPage } from '../platform/pages/send-page.ts'
import { rich, textsFor } from '../platform/pages/texts.ts'
import { confirmEmailChange } from './confirm-email.ts'

/**
 * Serves the link of an e-mail change. Opening it changes nothing, because mail scanners open
 * links; a button confirms.
 */
export function confirmEmailPages(app: App): Page[] {
  const path = '/accounts/confirm_new_email/:key'
  const name = 'confirm_new_email'
  const show: Page['handle'] = async (request, reply) => {
    const t = textsFor(request)
    const content = html`<p>${t('address.ask')}</p>${form(t('address.confirm'), html``)}`
    return sendPage(reply, { title: t('address.title'), content })
  }
  const confirm: Page['handle'] = async (request, reply) => {
    const t = textsFor(request)
    await readForm(app, request)
    const { subdomain } = resolveRequest(app.config, request)
    const email = await confirmEmailChange(app, { key: getKey(request), subdomain })
    const result = email ? rich(t, 'address.changed', { email: html`<b>${email}</b>` }) : t('address.gone')
    return sendPage(reply, {
      status: email ? 200 : 404,
      title: t('address.title'),
      content: html`<p>${result}</p>`,
    })
  }
  return [
    { path, name, handle: show },
    { path, name, method: 'POST', handle: confirm },
  ]
}
