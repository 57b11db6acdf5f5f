import type { FastifyReply } from 'fastify'
import { brandOf } from '../../../organization/brand.ts'
import type { App } from '../../../platform/app.ts'
import { html } from '../../../platform/html.ts'
import { resolveRequest } from '../../../platform/http/host.ts'
import type { Page } from '../../../platform/http/http-server.ts'
import { addBrowser, readCaller } from '../../../platform/http/read-caller.ts'
import { sessionCookies } from '../../../platform/http/session-cookie.ts'
import { getKey, readForm } from '../../../platform/pages/read-form.ts'
import { sendPage } from '../../../platform/pages/send-page.ts'
import { textsFor } from '../../../platform/pages/texts.ts'
import { findTicketToShow, type OpenTicket, type TicketRefusal } from './find-open-ticket.ts'
import { listGroupsToChoose } from './first-streams.ts'
import { joinForm } from './forms.ts'
import { type Introduction, join, type Problems } from './join.ts'
import { getInviter } from './queries.ts'

/**
 * Pages of a confirmation link. Opening the link creates no account, because mail scanners open
 * links; submitting the form does.
 */
export function confirmPages(app: App): Page[] {
  const path = '/accounts/do_confirm/:key'
  const name = 'do_confirm'
  const show: Page['handle'] = async (request, reply) => {
    const presented = { key: getKey(request), subdomain: resolveRequest(app.config, request).subdomain }
    const found = await findTicketToShow(app, app.db, presented)
    if (typeof found === 'string') return sendTicketRefusal(reply, found)
    return sendForm(app, reply, found, emptyIntroduction, {})
  }
  const submit: Page['handle'] = async (request, reply) => {
    const caller = addBrowser(readCaller(app, request), request)
    const presented = { key: getKey(request), subdomain: caller.subdomain }
    const found = await findTicketToShow(app, app.db, presented)
    if (typeof found === 'string') return sendTicketRefusal(reply, found)
    const introduction = introductionIn(await readForm(app, request))
    const outcome = await join(app, caller, presented, introduction)
    if ('refused' in outcome) return sendTicketRefusal(reply, outcome.refused)
    if ('problems' in outcome) return sendForm(app, reply, found, introduction, outcome.problems)
    const cookies = sessionCookies(caller, { ...outcome, isTrusted: false })
    return reply.header('set-cookie', cookies).redirect('/', 303)
  }
  return [
    { path, name, handle: show },
    { path, name, method: 'POST', handle: submit },
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
  introduction: Introduction,
  problems: Problems,
): Promise<FastifyReply> {
  const { organization_id, email, invited_by } = ticket
  const t = textsFor(reply.request)
  const inviter = invited_by === null ? undefined : await getInviter(app.db, organization_id, invited_by)
  const content = joinForm(t, {
    email,
    invitedBy: inviter?.full_name,
    full_name: introduction.full_name,
    groups: await listGroupsToChoose(app.db, ticket),
    chosen: introduction.groups,
    termsUrl: app.config.terms_url,
    problems,
  })
  const status = Object.keys(problems).length > 0 ? 400 : 200
  const title = t('account.title', { organization: organization.name })
  return sendPage(reply, { status, title, brand: brandOf(organization), content })
}

const reasons = {
  gone: 'account.gone',
  'has account': 'account.exists',
  'address refused': 'account.address_refused',
} as const satisfies Record<TicketRefusal, string>

function sendTicketRefusal(reply: FastifyReply, refused: TicketRefusal): FastifyReply {
  const t = textsFor(reply.request)
  const content = html`<p>${t(reasons[refused])}</p>
    <p><a href="/login">${t('account.sign_in')}</a></p>`
  return sendPage(reply, {
    status: refused === 'gone' ? 404 : 409,
    title: t('account.invalid_title'),
    content,
  })
}
