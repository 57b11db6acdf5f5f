import type { FastifyReply } from 'fastify'
import { brandOf } from '../../organization/brand.ts'
import type { App } from '../../platform/app.ts'
import type { OrganizationRow } from '../../platform/database/tables.ts'
import { html } from '../../platform/html.ts'
import { resolveRequest } from '../../platform/http/host.ts'
import type { Page } from '../../platform/http/http-server.ts'
import { addBrowser, readCaller } from '../../platform/http/read-caller.ts'
import { sessionCookies } from '../../platform/http/session-cookie.ts'
import { choice, field, form } from '../../platform/pages/fields.ts'
import { getKey, readForm } from '../../platform/pages/read-form.ts'
import { sendPage } from '../../platform/pages/send-page.ts'
import { textsFor } from '../../platform/pages/texts.ts'
import { minPasswordLength } from '../../sign-in/password-strength.ts'
import {
  createFirstAccount,
  type FirstAccountProblems,
  type FirstOwner,
  findOrganizationToOwn,
} from './create-first-account.ts'

/**
 * Pages of the link that an operator sends to a person, who creates an organization's first account
 * with it.
 */
export function firstAccountPages(app: App): Page[] {
  const path = '/accounts/first/:key'
  const name = 'first_account'
  const show: Page['handle'] = async (request, reply) => {
    const presented = { key: getKey(request), subdomain: resolveRequest(app.config, request).subdomain }
    const organization = await findOrganizationToOwn(app, app.db, presented)
    return organization ? sendForm(reply, organization, emptyForm, {}) : sendGone(reply)
  }
  const submit: Page['handle'] = async (request, reply) => {
    const caller = addBrowser(readCaller(app, request), request)
    const fields = await readForm(app, request)
    const presented = { key: getKey(request), subdomain: caller.subdomain }
    const organization = await findOrganizationToOwn(app, app.db, presented)
    if (!organization) return sendGone(reply)
    const read = (field: string) => fields.get(field) ?? ''
    const owner = {
      email: read('email'),
      full_name: read('full_name'),
      password: read('password'),
      limitsGuests: fields.has('limits_guests'),
    }
    const outcome = await createFirstAccount(app, caller, presented, owner)
    if (outcome === 'gone') return sendGone(reply)
    if ('problems' in outcome) return sendForm(reply, organization, owner, outcome.problems)
    const cookies = sessionCookies(caller, { ...outcome, isTrusted: false })
    return reply.header('set-cookie', cookies).redirect('/', 303)
  }
  return [
    { path, name, handle: show },
    { path, name, method: 'POST', handle: submit },
  ]
}

const emptyForm: FirstOwner = { email: '', full_name: '', password: '', limitsGuests: true }

function sendForm(
  reply: FastifyReply,
  organization: OrganizationRow,
  { email, full_name, limitsGuests }: FirstOwner,
  problems: FirstAccountProblems,
): FastifyReply {
  const t = textsFor(reply.request)
  const fields = html`${field({
    name: 'full_name',
    label: t('account.name'),
    type: 'text',
    autocomplete: 'name',
    maxLength: 100,
    isFirst: !problems.email && !problems.password,
    value: full_name,
    hint: t('account.name_hint'),
    problem: problems.full_name && t(problems.full_name),
  })}
    ${field({
      name: 'email',
      label: t('field.email'),
      type: 'email',
      autocomplete: 'username',
      maxLength: 254,
      value: email,
      hint: t('first.email_hint'),
      problem: problems.email && t(problems.email),
    })}
    ${field({
      name: 'password',
      label: t('field.password'),
      type: 'password',
      autocomplete: 'new-password',
      hint: t('account.password_hint', { count: minPasswordLength }),
      problem: problems.password && t(problems.password),
    })}
    ${choice({
      name: 'limits_guests',
      label: t('first.limits_guests'),
      hint: t('first.limits_guests_hint'),
      isChecked: limitsGuests,
    })}`
  const content = html`<p>${t('first.about')}</p>${form(t('first.submit'), fields)}`
  const status = Object.keys(problems).length > 0 ? 400 : 200
  const title = t('first.title', { organization: organization.name })
  return sendPage(reply, { status, title, brand: brandOf(organization), content })
}

function sendGone(reply: FastifyReply): FastifyReply {
  const t = textsFor(reply.request)
  const content = html`<p>${t('first.gone')}</p><p><a href="/login">${t('account.sign_in')}</a></p>`
  return sendPage(reply, { status: 404, title: t('account.invalid_title'), content })
}
