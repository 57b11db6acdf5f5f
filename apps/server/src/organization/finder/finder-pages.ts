import type { Translate } from '@oxbow/texts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isEmailAddress, normalizeEmail } from '../../identity/accounts/email-address.ts'
import type { App } from '../../platform/app.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { type Html, html } from '../../platform/html.ts'
import { originBelow, resolveRequest, rootOriginOf, withSubdomains } from '../../platform/http/host.ts'
import type { Page } from '../../platform/http/http-server.ts'
import { makeNetworkLimiter } from '../../platform/http/share-counts.ts'
import { enqueue } from '../../platform/jobs/jobs.ts'
import { canSendMail } from '../../platform/mail/mail.ts'
import { field, form, part } from '../../platform/pages/fields.ts'
import { readForm } from '../../platform/pages/read-form.ts'
import { sendPage } from '../../platform/pages/send-page.ts'
import { describeWait, rich, textsFor } from '../../platform/pages/texts.ts'
import { perNode } from '../../platform/per-node.ts'
import { findOrganization } from '../queries.ts'
import { mailOrganizations } from './organizations-email.ts'
import { parseAddress } from './parse-address.ts'

const path = '/accounts/go'

/** Limit per network. Each request enqueues a job that searches every organization. */
const maxRequestsPerHour = 30

const getFinderLimiter = perNode({
  name: 'networks that asked for lists of organizations',
  create: (app) => makeNetworkLimiter(app, 'requests of the finder', maxRequestsPerHour, 3_600_000),
  countEntries: ({ size }) => size,
})

/**
 * The page on which people find their organization: by typing its address, or by requesting an
 * e-mail that lists their organizations.
 */
export function finderPages(app: App): Page[] {
  return [
    { path, name: 'finder_page', handle: (request, reply) => showFinder(app, request, reply) },
    {
      path,
      name: 'finder_form',
      method: 'POST',
      handle: (request, reply) => submitFinder(app, request, reply),
    },
  ]
}

async function showFinder(app: App, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const host = resolveRequest(app.config, request)
  // The finder is only at the root host; every other host belongs to one organization.
  if (host.subdomain !== '') return reply.redirect(`${rootOriginOf(host)}${path}`, 302)
  return sendFinder(app, reply, 200, {})
}

async function submitFinder(app: App, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const form = await readForm(app, request)
  const email = form.get('email')
  return email === undefined
    ? goToOrganization(app, reply, form.get('organization') ?? '')
    : mailList(app, reply, email)
}

async function goToOrganization(app: App, reply: FastifyReply, typed: string): Promise<FastifyReply> {
  const root = rootOriginOf(resolveRequest(app.config, reply.request))
  const subdomain = parseAddress(typed, new URL(withSubdomains(root)).host)
  const organization = subdomain === undefined ? undefined : await findOrganization(app.db, subdomain)
  if (organization) return reply.redirect(`${originBelow(root, organization.subdomain)}/login`, 303)
  const problem = textsFor(reply.request)('finder.address_unknown')
  return sendFinder(app, reply, 404, { organization: typed, organizationProblem: problem })
}

/**
 * Enqueues the e-mail with the list. The response and its timing do not depend on whether the
 * address has accounts.
 */
async function mailList(app: App, reply: FastifyReply, typed: string): Promise<FastifyReply> {
  const t = textsFor(reply.request)
  const email = typed.trim()
  if (!isEmailAddress(email))
    return sendFinder(app, reply, 400, { email: typed, emailProblem: t('finder.email_malformed') })
  if (!canSendMail(app)) return sendFinder(app, reply, 503, {})
  const wait = getFinderLimiter(app).tryCount(reply.request.ip)
  if (wait > 0) {
    reply.header('retry-after', String(Math.ceil(wait)))
    const emailProblem = t('finder.too_many', { wait: describeWait(t, wait) })
    return sendFinder(app, reply, 429, { email: typed, emailProblem })
  }
  const request = { email: normalizeEmail(email), language: t.language }
  await inTransaction(app.db, (tx) => enqueue(tx, mailOrganizations, request))
  const content = html`<p>${rich(t, 'finder.sent', { email: html`<b>${email}</b>` })}</p>
    <p><a href="${path}">${t('finder.again')}</a></p>`
  return sendPage(reply, { title: t('finder.sent_title'), content })
}

interface FinderState {
  organization?: string
  organizationProblem?: string
  email?: string
  emailProblem?: string
}

function sendFinder(app: App, reply: FastifyReply, status: number, state: FinderState): FastifyReply {
  const t = textsFor(reply.request)
  const root = new URL(withSubdomains(rootOriginOf(resolveRequest(app.config, reply.request))))
  const content = html`${part(t('finder.address_title'), addressForm(t, root.host, state))}
    ${part(
      t('finder.email_title'),
      canSendMail(app) ? emailForm(t, state) : html`<p>${t('finder.no_mail')}</p>`,
    )}`
  return sendPage(reply, {
    status,
    title: t('finder.title'),
    content,
    // The response to the form redirects to the organization's host.
    formTargets: [`${root.protocol}//*.${root.host}`],
  })
}

function addressForm(
  t: Translate,
  domain: string,
  { organization = '', organizationProblem }: FinderState,
): Html {
  return form(
    t('finder.address_submit'),
    field({
      name: 'organization',
      label: t('finder.address'),
      type: 'text',
      autocomplete: 'off',
      value: organization,
      suffix: `.${domain}`,
      maxLength: 300,
      problem: organizationProblem,
    }),
  )
}

function emailForm(t: Translate, { email = '', emailProblem }: FinderState): Html {
  return form(
    t('finder.email_submit'),
    field({
      name: 'email',
      label: t('field.email'),
      type: 'email',
      autocomplete: 'email',
      value: email,
      maxLength: 254,
      hint: t('finder.email_hint'),
      problem: emailProblem,
    }),
  )
}
