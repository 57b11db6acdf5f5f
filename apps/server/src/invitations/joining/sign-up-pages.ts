import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../platform/app.ts'
import { html } from '../../platform/html.ts'
import type { Page } from '../../platform/http/http-server.ts'
import { type AddressForm, addressForm } from './forms.ts'
import { getHost, getKey, readForm, sendPage } from './page.ts'
import {
  type Answer,
  type EntryRefusal,
  findEntryByLink,
  findPublicEntry,
  requestSignUpEmail,
  type SignUpEntry,
} from './request-sign-up-email.ts'

/**
 * Pages that ask for an e-mail address: of invitation links, and of organizations that are open to
 * anyone.
 */
export function signUpPages(app: App): Page[] {
  return [
    ...makeEntryPages(app, '/join/:key', 'join', (request) =>
      findEntryByLink(app, getKey(request), getHost(app, request)),
    ),
    ...makeEntryPages(app, '/register', 'register_page', (request) =>
      findPublicEntry(app, getHost(app, request)),
    ),
  ]
}

function makeEntryPages(
  app: App,
  path: string,
  name: string,
  find: (request: FastifyRequest) => Promise<SignUpEntry | EntryRefusal>,
): Page[] {
  const show: Page['handle'] = async (request, reply) => {
    const entry = await find(request)
    return typeof entry === 'string' ? sendEntryRefusal(reply, entry) : sendForm(reply, entry, 200, {})
  }
  const answer: Page['handle'] = async (request, reply) => {
    const entry = await find(request)
    if (typeof entry === 'string') return sendEntryRefusal(reply, entry)
    const value = (await readForm(request)).get('email') ?? ''
    const outcome = await requestSignUpEmail(app, entry, value)
    if (outcome === 'sent') return sendConfirmation(reply, value)
    const status = outcome === 'too many' ? 429 : 400
    return sendForm(reply, entry, status, { value, problem: problems[outcome] })
  }
  return [
    { path, name, handle: show },
    { path, name, method: 'POST', handle: answer },
  ]
}

const problems: Record<Exclude<Answer, 'sent'>, string> = {
  malformed: 'This is not an e-mail address.',
  outside: 'This organization accepts only addresses of certain domains.',
  disposable: 'Use a permanent address. Disposable addresses are not accepted.',
  plus: 'Use the address without the + and the text after it.',
  'too many': 'Too many people asked to join today. Try again tomorrow, or ask someone to invite you.',
}

function sendForm(
  reply: FastifyReply,
  { organization }: SignUpEntry,
  status: number,
  form: AddressForm,
): FastifyReply {
  return sendPage(reply, status, `Join ${organization.name}`, addressForm(form))
}

function sendConfirmation(reply: FastifyReply, address: string): FastifyReply {
  const words = html`<p>We sent an e-mail to <b>${address}</b>. The link in it is valid for one day.</p>`
  return sendPage(reply, 200, 'Check your e-mail', words)
}

function sendEntryRefusal(reply: FastifyReply, closed: EntryRefusal): FastifyReply {
  if (closed === 'gone') {
    const words = html`<p>The link was revoked or is more than ten days old, or this organization requires an invitation. Ask a member
      for an invitation.</p>`
    return sendPage(reply, 404, 'You cannot join here', words)
  }
  const words = html`<p>This server cannot send e-mail, so it cannot confirm your address. Ask the operator of the server to set up
    e-mail.</p>`
  return sendPage(reply, 503, 'You cannot join yet', words)
}
