import { ApiError } from '@oxbow/contract'
import type { Translate } from '@oxbow/texts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findSignedIn, runAsSignedIn } from '../../identity/authenticate-page.ts'
import { brandOf } from '../../organization/brand.ts'
import { findOrganization } from '../../organization/queries.ts'
import { isMethodEnabled, renderOrganizationDescription } from '../../organization/views.ts'
import type { App } from '../../platform/app.ts'
import type { OrganizationRow } from '../../platform/database/tables.ts'
import { Html, html } from '../../platform/html.ts'
import { resolveRequest, rootOriginOf } from '../../platform/http/host.ts'
import type { Page } from '../../platform/http/http-server.ts'
import { addBrowser, readCaller } from '../../platform/http/read-caller.ts'
import { removedSessionCookies } from '../../platform/http/session-cookie.ts'
import { canSendMail } from '../../platform/mail/mail.ts'
import { choice, field, form, renderNotice } from '../../platform/pages/fields.ts'
import { readForm, readQueryText } from '../../platform/pages/read-form.ts'
import { sendPage } from '../../platform/pages/send-page.ts'
import { describeWait, textsFor } from '../../platform/pages/texts.ts'
import { signIn } from '../../sign-in/sign-in.ts'
import { signedOutHeaders, signOut } from './end-sessions.ts'
import { toNextPath } from './next-path.ts'

/** The pages on which people sign in and out. */
export function loginPages(app: App): Page[] {
  return [
    {
      path: '/login',
      name: 'login_page',
      anonymousLimit: 'without account',
      handle: (request, reply) => showLogin(app, request, reply),
    },
    {
      path: '/login',
      name: 'login_form',
      method: 'POST',
      handle: (request, reply) => submitLogin(app, request, reply),
    },
    {
      path: '/logout',
      name: 'logout_form',
      method: 'POST',
      anonymousLimit: 'without account',
      handle: (request, reply) => submitLogout(app, request, reply),
    },
  ]
}

async function showLogin(app: App, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const actor = await findSignedIn(app, request)
  const organization = await findOpenOrganization(app, request)
  // The start page explains that the host has no active organization.
  if (!organization) return reply.redirect('/', 302)
  if (!actor) return sendLogin(app, reply, organization, { remark: findRemark(request) })
  // The web client opens the page for another account than the one that is signed in.
  if (readQueryText(request, 'other_account') === undefined) return reply.redirect(readNext(request), 302)
  const remark = renderNotice('warning', textsFor(request)('login.other_account'))
  return sendLogin(app, reply, organization, { remark })
}

/** Returns the message about the outcome of the previous page, which is named in the query. */
function findRemark(request: FastifyRequest): Html | undefined {
  const t = textsFor(request)
  for (const done of ['signed_out', 'password_changed'] as const)
    if (readQueryText(request, done) !== undefined) return renderNotice('success', t(`login.${done}`))
  return undefined
}

async function submitLogin(app: App, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const caller = addBrowser(readCaller(app, request), request)
  const organization = await findOpenOrganization(app, request)
  if (!organization) return reply.redirect('/', 303)
  const form = await readForm(app, request)
  const username = form.get('username') ?? ''
  const is_trusted = form.has('is_trusted')
  try {
    const { cookies } = await signIn(app, caller, {
      username,
      password: form.get('password') ?? '',
      is_trusted,
    })
    request.hasSignedIn = true
    return reply.header('set-cookie', cookies).redirect(readNext(request), 303)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const problem = explainRefusal(textsFor(request), error)
    if (problem === undefined) throw error
    if (error.is('RATE_LIMIT_HIT')) reply.header('retry-after', String(error.body['retry-after']))
    return sendLogin(app, reply, organization, {
      status: error.is('INVALID_EMAIL_FORMAT') ? 403 : error.status,
      remark: renderNotice('danger', problem),
      username,
      is_trusted,
    })
  }
}

/** Ends the session of the browser. The response is the same if the session has already ended. */
async function submitLogout(app: App, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  await readForm(app, request)
  const headers = await runAsSignedIn(app, request, async (actor) => {
    if (!actor) return { 'set-cookie': removedSessionCookies(readCaller(app, request)) }
    await signOut(app, actor).catch((error: unknown) => {
      const hasEnded = error instanceof ApiError && error.status === 401
      if (!hasEnded) throw error
    })
    return signedOutHeaders(actor)
  })
  return reply.headers(headers).redirect('/login?signed_out', 303)
}

const readNext = (request: FastifyRequest): string => toNextPath(readQueryText(request, 'next'))

/** Finds the organization of the host; undefined if there is none or if it is deactivated. */
async function findOpenOrganization(app: App, request: FastifyRequest): Promise<OrganizationRow | undefined> {
  const { subdomain } = resolveRequest(app.config, request)
  const organization = subdomain === null ? undefined : await findOrganization(app.db, subdomain)
  return organization?.deactivated_at ? undefined : organization
}

/**
 * Returns the text that explains why nobody was signed in; undefined for errors that have their own
 * page.
 */
function explainRefusal(t: Translate, error: ApiError): string | undefined {
  // The text is the same whether the address or the password is wrong.
  if (error.is('LOGIN_INCORRECT') || error.is('INVALID_EMAIL_FORMAT')) return t('login.wrong')
  if (error.is('LOGIN_ACCOUNT_DEACTIVATED')) return t('login.account_deactivated')
  if (error.is('LOGIN_PASSWORD_DISABLED')) return t('login.passwords_disabled')
  if (error.is('RATE_LIMIT_HIT'))
    return t('login.wait', { wait: describeWait(t, Number(error.body['retry-after'])) })
  return undefined
}

interface LoginState {
  status?: number
  /** Shown above the form. */
  remark?: Html | undefined
  username?: string
  is_trusted?: boolean
}

async function sendLogin(
  app: App,
  reply: FastifyReply,
  organization: OrganizationRow,
  { status = 200, remark, username = '', is_trusted = false }: LoginState,
): Promise<FastifyReply> {
  const { request } = reply
  const t = textsFor(request)
  const hasPasswords = isMethodEnabled('Email', organization)
  const description = organization.description && (await renderOrganizationDescription(app, organization))
  const content = html`${description !== '' && html`<div class="Page-quiet">${new Html(description)}</div>`}
    ${hasPasswords ? remark : renderNotice('warning', t('login.passwords_disabled'))}
    ${hasPasswords && loginForm(t, { username, is_trusted })}
    ${hasPasswords && html`<ul class="Page-links"><li><a href="/accounts/password/reset">${t('login.forgot')}</a></li>${isOpen(app, organization) && html`<li><a href="/register/">${t('login.join')}</a></li>`}</ul>`}`
  return sendPage(reply, {
    status,
    title: t('login.title', { organization: organization.name }),
    brand: brandOf(organization),
    content,
    links: [
      { url: `${rootOriginOf(resolveRequest(app.config, request))}/accounts/go`, text: t('foot.finder') },
      { url: '/api/docs', text: t('foot.reference') },
      { url: '/integrations', text: t('foot.integrations') },
    ],
  })
}

/** Returns whether anyone may create an account on the page `/register/`. */
const isOpen = (app: App, { invite_required }: OrganizationRow): boolean =>
  !invite_required && canSendMail(app)

function loginForm(
  t: Translate,
  { username, is_trusted }: Required<Pick<LoginState, 'username' | 'is_trusted'>>,
): Html {
  const address = field({
    name: 'username',
    label: t('field.email'),
    type: 'email',
    autocomplete: 'username',
    maxLength: 254,
    value: username,
    isFirst: username === '',
  })
  const password = field({
    name: 'password',
    label: t('field.password'),
    type: 'password',
    autocomplete: 'current-password',
    isFirst: username !== '',
  })
  const keep = choice({
    name: 'is_trusted',
    label: t('login.keep'),
    hint: t('login.keep_hint'),
    isChecked: is_trusted,
  })
  return form(t('login.submit'), html`${address}${password}${keep}`)
}
