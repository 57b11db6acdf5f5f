import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../platform/app.ts'
import { html } from '../../platform/html.ts'
import type { Page } from '../../platform/http/http-server.ts'
import {
  type Answer,
  askForLetter,
  type Closed,
  type Door,
  findDoorOfLink,
  findOpenDoor,
} from './ask-for-letter.ts'
import { type AddressForm, addressForm } from './forms.ts'
import { hostOf, keyOf, readForm, send } from './page.ts'

/** A link for many, and where anyone may join: both ask for an address. */
export function doorPages(app: App): Page[] {
  return [
    ...pagesOf(app, '/join/:key', 'join', (request) =>
      findDoorOfLink(app, keyOf(request), hostOf(app, request)),
    ),
    ...pagesOf(app, '/register', 'register_page', (request) => findOpenDoor(app, hostOf(app, request))),
  ]
}

function pagesOf(
  app: App,
  path: string,
  name: string,
  find: (request: FastifyRequest) => Promise<Door | Closed>,
): Page[] {
  const show: Page['handle'] = async (request, reply) => {
    const door = await find(request)
    return typeof door === 'string' ? sendClosed(reply, door) : sendForm(reply, door, 200, {})
  }
  const answer: Page['handle'] = async (request, reply) => {
    const door = await find(request)
    if (typeof door === 'string') return sendClosed(reply, door)
    const value = (await readForm(request)).get('email') ?? ''
    const outcome = await askForLetter(app, door, value)
    if (outcome === 'sent') return sendThanks(reply, value)
    const status = outcome === 'too many' ? 429 : 400
    return sendForm(reply, door, status, { value, problem: problems[outcome] })
  }
  return [
    { path, name, handle: show },
    { path, name, method: 'POST', handle: answer },
  ]
}

const problems: Record<Exclude<Answer, 'sent'>, string> = {
  malformed: 'This is not an e-mail address.',
  outside: 'Only addresses of some domains can join, and this is not one of them.',
  disposable: 'Use an address that you will keep.',
  plus: 'Use the address without the part from the +.',
  'too many': 'Too many people asked to join today. Try again tomorrow, or ask someone to invite you.',
}

function sendForm(
  reply: FastifyReply,
  { organization }: Door,
  status: number,
  form: AddressForm,
): FastifyReply {
  return send(reply, status, `Join ${organization.name}`, addressForm(form))
}

function sendThanks(reply: FastifyReply, address: string): FastifyReply {
  const words = html`<p>We sent an e-mail to <b>${address}</b>. The link in it works for a day.</p>`
  return send(reply, 200, 'Look into your mail', words)
}

function sendClosed(reply: FastifyReply, closed: Closed): FastifyReply {
  if (closed === 'gone') {
    const words = html`<p>The link was taken back or is more than ten days old, or this team takes only those whom it
      invites. Ask someone who is in it for an invitation.</p>`
    return send(reply, 404, 'You cannot join here', words)
  }
  const words = html`<p>This server cannot send e-mail yet, so it cannot tell whether an address is yours. Whoever runs
    it has to set that up.</p>`
  return send(reply, 503, 'You cannot join yet', words)
}
