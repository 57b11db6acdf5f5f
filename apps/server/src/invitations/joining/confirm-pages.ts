import type { FastifyReply } from 'fastify'
import type { App } from '../../platform/app.ts'
import { type Html, html } from '../../platform/html.ts'
import type { Page } from '../../platform/http/http-server.ts'
import { findOpenTicket, type OpenTicket, type TicketRefusal } from './find-open-ticket.ts'
import { listGroupsToChoose } from './first-streams.ts'
import { joinForm } from './forms.ts'
import { type Introduction, join, type Problems } from './join.ts'
import { getHost, getKey, readForm, sendPage } from './page.ts'
import { getInviter } from './queries.ts'

/**
 * Pages of a confirmation link. Only the form creates the account, because mail scanners open
 * links.
 */
export function confirmPages(app: App): Page[] {
  const path = '/accounts/do_confirm/:key'
  const name = 'do_confirm'
  const show: Page['handle'] = async (request, reply) => {
    const presented = { key: getKey(request), subdomain: getHost(app, request).subdomain }
    const found = await findOpenTicket(app, app.db, presented)
    if (typeof found === 'string') return sendTicketRefusal(reply, found)
    return sendForm(app, reply, found, emptyIntroduction, {})
  }
  const answer: Page['handle'] = async (request, reply) => {
    const { subdomain, origin } = getHost(app, request)
    const presented = { key: getKey(request), subdomain }
    const found = await findOpenTicket(app, app.db, presented)
    if (typeof found === 'string') return sendTicketRefusal(reply, found)
    const given = introductionIn(await readForm(request))
    const outcome = await join(app, presented, given)
    if ('refused' in outcome) return sendTicketRefusal(reply, outcome.refused)
    if ('problems' in outcome) return sendForm(app, reply, found, given, outcome.problems)
    const { full_name, delivery_email } = outcome.joined
    const words = html`<p>${full_name}, your account is ready. Sign in at <b>${origin}</b> with
      <b>${delivery_email}</b> and your password.</p>`
    return sendPage(reply, 200, `Welcome to ${found.organization.name}`, words)
  }
  return [
    { path, name, handle: show },
    { path, name, method: 'POST', handle: answer },
  ]
}

const emptyIntroduction: Introduction = {
  full_name: '',
  password: '',
  groups: new Set(),
  hasAcceptedTerms: false,
}

function introductionIn(form: ReadonlyMap<string, string>): Introduction {
  const groups = [...form.keys()].flatMap((name) => /^group_(\d{1,15})$/.exec(name)?.[1] ?? [])
  return {
    full_name: form.get('full_name') ?? '',
    password: form.get('password') ?? '',
    groups: new Set(groups.map(Number)),
    hasAcceptedTerms: form.has('terms'),
  }
}

async function sendForm(
  app: App,
  reply: FastifyReply,
  { ticket, organization }: OpenTicket,
  given: Introduction,
  problems: Problems,
): Promise<FastifyReply> {
  const { organization_id, email, invited_by } = ticket
  const inviter = invited_by === null ? undefined : await getInviter(app.db, organization_id, invited_by)
  const form = joinForm({
    email,
    invitedBy: inviter?.full_name,
    full_name: given.full_name,
    groups: await listGroupsToChoose(app.db, organization_id),
    chosen: given.groups,
    termsUrl: app.config.terms_url,
    problems,
  })
  const status = Object.keys(problems).length > 0 ? 400 : 200
  return sendPage(reply, status, `Join ${organization.name}`, form)
}

const reasons: Record<TicketRefusal, Html> = {
  gone: html`<p>The link was already used, was revoked or has expired. Ask for a new one.</p>`,
  'has account': html`<p>Your address already has an account. Sign in with it, or ask an administrator for help.</p>`,
  'address refused': html`<p>This organization no longer accepts addresses like yours. Ask an administrator for help.</p>`,
}

function sendTicketRefusal(reply: FastifyReply, refused: TicketRefusal): FastifyReply {
  return sendPage(reply, refused === 'gone' ? 404 : 409, 'This link is not valid', reasons[refused])
}
