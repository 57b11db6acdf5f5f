import type { FastifyReply, FastifyRequest } from 'fastify'
import { brandOf } from '../../organization/brand.ts'
import type { App } from '../../platform/app.ts'
import { html } from '../../platform/html.ts'
import { resolveRequest } from '../../platform/http/host.ts'
import type { Page } from '../../platform/http/http-server.ts'
import { form } from '../../platform/pages/fields.ts'
import { getKey, readForm } from '../../platform/pages/read-form.ts'
import { sendPage } from '../../platform/pages/send-page.ts'
import { rich, textsFor } from '../../platform/pages/texts.ts'
import { type Confirmation, confirmEmailChange, findEmailChange } from './confirm-email.ts'

/**
 * Serves the link of an e-mail change. Opening the link changes nothing, because mail scanners open
 * links; the person confirms with a button.
 */
export function confirmEmailPages(app: App): Page[] {
  const path = '/accounts/confirm_new_email/:key'
  const name = 'confirm_new_email'
  const show: Page['handle'] = async (request, reply) => {
    const t = textsFor(request)
    const change = await findEmailChange(app, app.db, presented(app, request))
    if (!change) return sendGone(reply)
    const ask = rich(t, 'address.ask', { email: html`<b>${change.new_email}</b>` })
    const content = html`<p>${ask}</p>${form(t('address.confirm'), html``)}`
    return sendPage(reply, { title: t('address.title'), brand: brandOf(change.organization), content })
  }
  const confirm: Page['handle'] = async (request, reply) => {
    const t = textsFor(request)
    await readForm(app, request)
    const email = await confirmEmailChange(app, presented(app, request))
    if (!email) return sendGone(reply)
    const changed = rich(t, 'address.changed', { email: html`<b>${email}</b>` })
    const content = html`<p>${changed}</p><p><a href="/">${t('error.start')}</a></p>`
    return sendPage(reply, { title: t('address.title'), content })
  }
  return [
    { path, name, handle: show },
    { path, name, method: 'POST', handle: confirm },
  ]
}

const presented = (app: App, request: FastifyRequest): Confirmation => ({
  key: getKey(request),
  subdomain: resolveRequest(app.config, request).subdomain,
})

function sendGone(reply: FastifyReply): FastifyReply {
  const t = textsFor(reply.request)
  const content = html`<p>${t('address.gone')}</p><p><a href="/">${t('error.start')}</a></p>`
  return sendPage(reply, { status: 404, title: t('account.invalid_title'), content })
}
