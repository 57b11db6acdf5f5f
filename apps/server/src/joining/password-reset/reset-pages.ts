import type { FastifyReply, FastifyRequest } from 'fastify'
import { brandOf } from '../../organization/brand.ts'
import type { App } from '../../platform/app.ts'
import { html } from '../../platform/html.ts'
import { resolveRequest } from '../../platform/http/host.ts'
import type { Page } from '../../platform/http/http-server.ts'
import { field, form } from '../../platform/pages/fields.ts'
import { getKey, readForm } from '../../platform/pages/read-form.ts'
import { sendPage } from '../../platform/pages/send-page.ts'
import { describeWait, rich, textsFor } from '../../platform/pages/texts.ts'
import { minPasswordLength } from '../../sign-in/password-strength.ts'
import { findResetTarget, type ResetRefusal, type ResetTarget } from './find-target.ts'
import { requestPasswordReset } from './request-reset.ts'
import { findResetByKey, type OpenReset, resetPassword } from './reset-password.ts'

/**
 * Pages for people who forgot their password. Opening a link changes nothing, because mail scanners
 * open links too.
 */
export function passwordResetPages(app: App): Page[] {
  return [...makeRequestPages(app), ...makePasswordPages(app)]
}

const path = '/accounts/password/reset'

function makeRequestPages(app: App): Page[] {
  const name = 'password_reset'
  const show: Page['handle'] = async (request, reply) => {
    const target = await findResetTarget(app, resolveRequest(app.config, request))
    return typeof target === 'string' ? sendRefusal(reply, target) : sendAddressForm(reply, target, {})
  }
  const submit: Page['handle'] = async (request, reply) => {
    const form = await readForm(app, request)
    const target = await findResetTarget(app, resolveRequest(app.config, request))
    if (typeof target === 'string') return sendRefusal(reply, target)
    const email = form.get('email') ?? ''
    const t = textsFor(request)
    const { language } = t
    const outcome = await requestPasswordReset(app, target, { email, language, address: request.ip })
    if (outcome === 'sent') return sendConfirmation(reply, target, email)
    if (outcome === 'malformed')
      return sendAddressForm(reply, target, { status: 400, email, problem: t('reset.email_malformed') })
    reply.header('retry-after', String(outcome.retryAfter))
    const problem = t('reset.too_many', { wait: describeWait(t, outcome.retryAfter) })
    return sendAddressForm(reply, target, { status: 429, email, problem })
  }
  return [
    { path, name, handle: show },
    { path, name, method: 'POST', handle: submit },
  ]
}

function makePasswordPages(app: App): Page[] {
  const name = 'password_reset_link'
  const show: Page['handle'] = async (request, reply) => {
    const open = await findResetByKey(app, app.db, presentedKey(app, request))
    return open ? sendPasswordForm(reply, open) : sendGone(reply)
  }
  const submit: Page['handle'] = async (request, reply) => {
    const form = await readForm(app, request)
    const presented = presentedKey(app, request)
    const open = await findResetByKey(app, app.db, presented)
    if (!open) return sendGone(reply)
    const t = textsFor(request)
    const password = form.get('password') ?? ''
    const outcome = await resetPassword(app, presented, { password, language: t.language })
    if (outcome === 'gone') return sendGone(reply)
    if (outcome === 'weak') return sendPasswordForm(reply, open, t('reset.password_weak'))
    // Redirects, so that reloading the page does not submit the form with the used link again.
    return reply.redirect('/login?password_changed', 303)
  }
  return [
    { path: `${path}/:key`, name, handle: show },
    { path: `${path}/:key`, name, method: 'POST', handle: submit },
  ]
}

const presentedKey = (app: App, request: FastifyRequest) => ({
  key: getKey(request),
  subdomain: resolveRequest(app.config, request).subdomain,
})

interface AddressState {
  status?: number
  /** The address that the person typed. */
  email?: string
  problem?: string
}

function sendAddressForm(
  reply: FastifyReply,
  { organization }: ResetTarget,
  { status = 200, email: value = '', problem }: AddressState,
): FastifyReply {
  const t = textsFor(reply.request)
  const address = { name: 'email', label: t('field.email'), type: 'email', autocomplete: 'username' } as const
  const content = html`<p>${t('reset.ask')}</p>
    ${form(t('reset.submit'), field({ ...address, maxLength: 254, isFirst: true, value, problem }))}
    <p class="Page-quiet"><a href="/login">${t('reset.back')}</a></p>`
  return sendPage(reply, { status, title: t('reset.title'), brand: brandOf(organization), content })
}

function sendConfirmation(reply: FastifyReply, { organization }: ResetTarget, address: string): FastifyReply {
  const t = textsFor(reply.request)
  const content = html`<p>${rich(t, 'reset.sent', { email: html`<b>${address}</b>` })}</p>
    <p class="Page-quiet">${t('reset.sent_help')}</p>
    <p class="Page-quiet"><a href="/login">${t('reset.back')}</a></p>`
  return sendPage(reply, { title: t('reset.sent_title'), brand: brandOf(organization), content })
}

/** Shows the form again with the reason if a password was refused. */
function sendPasswordForm(
  reply: FastifyReply,
  { email, organization }: OpenReset,
  problem?: string,
): FastifyReply {
  const t = textsFor(reply.request)
  // Password managers store the password with this user name.
  const address = { name: 'email', label: t('field.email'), type: 'email', autocomplete: 'username' } as const
  const password = {
    name: 'password',
    label: t('reset.new_password'),
    type: 'password',
    autocomplete: 'new-password',
    hint: t('reset.password_hint', { count: minPasswordLength }),
    isFirst: true,
    problem,
  } as const
  const fields = html`${field({ ...address, value: email, isReadOnly: true })}${field(password)}
    <p class="Page-quiet">${t('reset.signs_out')}</p>`
  return sendPage(reply, {
    status: problem === undefined ? 200 : 400,
    title: t('reset.set_title'),
    brand: brandOf(organization),
    content: form(t('reset.set_submit'), fields),
  })
}

function sendGone(reply: FastifyReply): FastifyReply {
  const t = textsFor(reply.request)
  const content = html`<p>${t('reset.gone')}</p><p><a href="${path}">${t('reset.ask_again')}</a></p>
    <p><a href="/login">${t('reset.back')}</a></p>`
  return sendPage(reply, { status: 404, title: t('reset.gone_title'), content })
}

const refusals = {
  'unknown organization': { status: 404, text: 'reset.no_organization' },
  deactivated: { status: 403, text: 'reset.deactivated' },
  'no passwords': { status: 403, text: 'reset.no_passwords' },
  'no mail': { status: 503, text: 'reset.no_mail' },
} as const satisfies Record<ResetRefusal, { status: number; text: string }>

function sendRefusal(reply: FastifyReply, refused: ResetRefusal): FastifyReply {
  const t = textsFor(reply.request)
  const { status, text } = refusals[refused]
  // If the host has no organization, the start page explains what the person can do.
  const content = html`<p>${t(text)}</p><p><a href="/">${t('error.start')}</a></p>`
  return sendPage(reply, { status, title: t('reset.refused_title'), content })
}
