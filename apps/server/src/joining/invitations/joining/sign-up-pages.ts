import type { FastifyReply, FastifyRequest } from 'fastify'
import { brandOf } from '../../../organization/brand.ts'
import type { App } from '../../../platform/app.ts'
import { html } from '../../../platform/html.ts'
import { resolveRequest } from '../../../platform/http/host.ts'
import type { Page } from '../../../platform/http/http-server.ts'
import { canSendMail } from '../../../platform/mail/mail.ts'
import { getKey, readForm } from '../../../platform/pages/read-form.ts'
import { sendPage } from '../../../platform/pages/send-page.ts'
import { rich, textsFor } from '../../../platform/pages/texts.ts'
import { confirmUrl } from '../keys.ts'
import { type AddressForm, addressForm } from './forms.ts'
import {
  findEntryByLink,
  findPublicEntry,
  requestSignUp,
  type SignUpEntry,
  type SignUpProblem,
  type SignUpRefusal,
} from './request-sign-up.ts'

/**
 * Pages that ask for an e-mail address to sign up with, for invitation links and for organizations
 * that are open to anyone.
 */
export function signUpPages(app: App): Page[] {
  return [
    ...makeEntryPages(app, '/join/:key', 'join', (request) =>
      findEntryByLink(app, getKey(request), resolveRequest(app.config, request)),
    ),
    ...makeEntryPages(app, '/register', 'register_page', (request) =>
      findPublicEntry(app, resolveRequest(app.config, request)),
    ),
  ]
}

function makeEntryPages(
  app: App,
  path: string,
  name: string,
  find: (request: FastifyRequest) => Promise<SignUpEntry | SignUpRefusal>,
): Page[] {
  const show: Page['handle'] = async (request, reply) => {
    const entry = await find(request)
    return typeof entry === 'string' ? sendSignUpRefusal(reply, entry) : sendForm(app, reply, entry, 200, {})
  }
  const submit: Page['handle'] = async (request, reply) => {
    const entry = await find(request)
    if (typeof entry === 'string') return sendSignUpRefusal(reply, entry)
    const value = (await readForm(app, request)).get('email') ?? ''
    const outcome = await requestSignUp(app, entry, value)
    if (outcome === 'sent') return sendConfirmation(reply, entry, value)
    if (typeof outcome === 'object') return reply.redirect(confirmUrl('', outcome.key), 303)
    const status = outcome === 'too many' ? 429 : 400
    return sendForm(app, reply, entry, status, { value, problem: textsFor(request)(problems[outcome]) })
  }
  return [
    { path, name, handle: show },
    { path, name, method: 'POST', handle: submit },
  ]
}

const problems = {
  malformed: 'join.email_malformed',
  outside: 'join.email_outside',
  disposable: 'join.email_disposable',
  plus: 'join.email_plus',
  'too many': 'join.too_many',
} as const satisfies Record<SignUpProblem, string>

function sendForm(
  app: App,
  reply: FastifyReply,
  { organization }: SignUpEntry,
  status: number,
  form: Omit<AddressForm, 'isConfirmed'>,
): FastifyReply {
  const t = textsFor(reply.request)
  const title = t('join.title', { organization: organization.name })
  return sendPage(reply, {
    status,
    title,
    brand: brandOf(organization),
    content: addressForm(t, { ...form, isConfirmed: canSendMail(app) }),
  })
}

function sendConfirmation(reply: FastifyReply, { organization }: SignUpEntry, address: string): FastifyReply {
  const t = textsFor(reply.request)
  const content = html`<p>${rich(t, 'join.sent', { email: html`<b>${address}</b>` })}</p>
    <p class="Page-quiet"><a href="/login">${t('join.have_account')}</a></p>`
  return sendPage(reply, { title: t('join.sent_title'), brand: brandOf(organization), content })
}

function sendSignUpRefusal(reply: FastifyReply, closed: SignUpRefusal): FastifyReply {
  const t = textsFor(reply.request)
  if (closed === 'gone') {
    const content = html`<p>${t('join.closed')}</p><p><a href="/login">${t('join.have_account')}</a></p>`
    return sendPage(reply, { status: 404, title: t('join.closed_title'), content })
  }
  const content = html`<p>${t('join.no_mail')}</p><p><a href="/login">${t('join.have_account')}</a></p>`
  return sendPage(reply, { status: 503, title: t('join.no_mail_title'), content })
}
