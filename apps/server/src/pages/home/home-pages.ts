import { ApiError } from '@oxbow/contract'
import type { Translate } from '@oxbow/texts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findSignedIn } from '../../identity/authenticate-page.ts'
import { findInviteRefusal } from '../../joining/invitations/access.ts'
import { brandOf } from '../../organization/brand.ts'
import { findOrganization, hasOrganizations } from '../../organization/queries.ts'
import { getOwnAccount } from '../../people/users/queries.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { OrganizationRow } from '../../platform/database/tables.ts'
import { html } from '../../platform/html.ts'
import { wantsPage } from '../../platform/http/error-page.ts'
import { type ResolvedHost, resolveRequest, rootOriginOf } from '../../platform/http/host.ts'
import type { Page } from '../../platform/http/http-server.ts'
import { isTrustedDevice } from '../../platform/http/session-cookie.ts'
import { type PageContent, type PageLink, sendPage } from '../../platform/pages/send-page.ts'
import { asCode, rich, textsFor } from '../../platform/pages/texts.ts'
import { sendClient } from '../web-client/send-client.ts'
import { appManifest } from './app-manifest.ts'
import { welcomePage } from './welcome-page.ts'

/**
 * The app manifest, and the page at `/`: browsers get the web client if the person is signed in or it may
 * have stored data, otherwise a redirect to the sign-in page. So do monitors,
 * without the content. Other programs get a 404.
 */
export function homePages(app: App): Page[] {
  return [
    {
      path: '/',
      name: 'home',
      anonymousLimit: 'without account',
      handle: (request, reply) => showHome(app, request, reply),
    },
    appManifest(app),
  ]
}

async function showHome(app: App, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const actor = await findSignedIn(app, request)
  if (!wantsPage(request) && !isMonitor(request)) throw new ApiError('NOT_FOUND')
  if (actor && (await sendClient(app, request, reply))) return reply
  const t = textsFor(request)
  const host = resolveRequest(app.config, request)
  const organization = host.subdomain === null ? undefined : await findOrganization(app.db, host.subdomain)
  if (!organization) return sendPage(reply, await describeHost(app, t, host))
  if (organization.deactivated_at) return sendPage(reply, deactivatedPage(t, organization, host))
  // The session has ended elsewhere. The client finds this out too, and deletes what it stored on the device.
  if (!actor && isTrustedDevice(host, request.headers) && (await sendClient(app, request, reply)))
    return reply
  if (!actor) return reply.redirect(`/login?next=${encodeURIComponent(request.url)}`, 302)
  return sendPage(reply, await describeAccount(app, t, organization, actor))
}

/** Monitors ask with HEAD whether the server works, and accept anything. */
const isMonitor = ({ method, headers }: FastifyRequest): boolean =>
  method === 'HEAD' && !/\bjson\b/i.test(headers.accept ?? '')

async function describeAccount(
  { db }: App,
  t: Translate,
  organization: OrganizationRow,
  actor: Actor,
): Promise<PageContent> {
  const { organization_id, user_id, origin } = actor
  const { full_name, delivery_email, date_joined } = await getOwnAccount(db, { organization_id, user_id })
  return {
    ...welcomePage(t, {
      organization: organization.name,
      full_name,
      delivery_email,
      origin,
      mayInvite: !findInviteRefusal(organization, { role: actor.role, date_joined }),
    }),
    brand: brandOf(organization),
  }
}

function deactivatedPage(t: Translate, organization: OrganizationRow, host: ResolvedHost): PageContent {
  return {
    title: t('organization.deactivated_title', { organization: organization.name }),
    brand: brandOf(organization),
    content: html`<p>${t('organization.deactivated')}</p>
      <p><a href="${rootOriginOf(host)}/accounts/go">${t('foot.finder')}</a></p>`,
    links: programLinks(t),
  }
}

/** Describes a host without an organization: the root host of the server, or an unknown one. */
async function describeHost(app: App, t: Translate, host: ResolvedHost): Promise<PageContent> {
  if (host.subdomain === '') return frontPage(app, t, host)
  const finder = `${rootOriginOf(host)}/accounts/go`
  return {
    status: 404,
    title: t('organization.unknown_title'),
    content: html`<p>${t('organization.unknown')}</p><p><a href="${finder}">${t('front.find')}</a></p>`,
  }
}

async function frontPage({ db }: App, t: Translate, { origin }: ResolvedHost): Promise<PageContent> {
  const content = (await hasOrganizations(db))
    ? html`<p>${t('front.text')}</p><p><a class="Button" href="/accounts/go">${t('front.find')}</a></p>`
    : html`<p>${rich(t, 'front.none', { code: asCode })}</p>`
  return { title: t('front.title', { host: new URL(origin).host }), content, links: programLinks(t) }
}

const programLinks = (t: Translate): PageLink[] => [
  { url: '/api/docs', text: t('foot.reference') },
  { url: '/integrations', text: t('foot.integrations') },
]
