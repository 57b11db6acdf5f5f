import { ApiError, Role } from '@oxbow/contract'
import type { Translate } from '@oxbow/texts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { runAsSignedIn } from '../../identity/authenticate-page.ts'
import { brandOf } from '../../organization/brand.ts'
import { getOrganization } from '../../organization/queries.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { type Html, html } from '../../platform/html.ts'
import type { Page } from '../../platform/http/http-server.ts'
import { canSendMail } from '../../platform/mail/mail.ts'
import { field, form, renderNotice } from '../../platform/pages/fields.ts'
import { readForm } from '../../platform/pages/read-form.ts'
import { type PageContent, sendPage } from '../../platform/pages/send-page.ts'
import { textsFor } from '../../platform/pages/texts.ts'
import { listDefaultStreams } from '../../streams/defaults/queries.ts'
import { findInviteRefusal, type InviteRefusal } from './access.ts'
import { readAddresses } from './addresses.ts'
import { invitePeople } from './invite-people.ts'
import { listOpenInvitations } from './list-invitations.ts'
import { getDateJoined } from './queries.ts'

const path = '/invite'

/** The page on which a signed-in person invites others by e-mail address. */
export function invitePages(app: App): Page[] {
  const handle = async (
    request: FastifyRequest,
    reply: FastifyReply,
    buildContent: (actor: Actor, t: Translate) => Promise<PageContent>,
  ): Promise<FastifyReply> => {
    const t = textsFor(request)
    const page = await runAsSignedIn(app, request, async (actor): Promise<PageContent | undefined> => {
      if (!actor) return undefined
      const organization = await getOrganization(app.db, actor.organization_id)
      const date_joined = await getDateJoined(app.db, actor)
      const refusal = findInviteRefusal(organization, { role: actor.role, date_joined })
      const shown = refusal ? refusedPage(t, refusal) : await buildContent(actor, t)
      return { ...shown, brand: brandOf(organization), links: homeLink(t) }
    })
    return page ? sendPage(reply, page) : reply.redirect(`/login?next=${encodeURIComponent(path)}`, 302)
  }
  return [
    {
      path,
      name: 'invite',
      anonymousLimit: 'without account',
      handle: (request, reply) => handle(request, reply, async (_actor, t) => askPage(t)),
    },
    {
      path,
      name: 'invite',
      method: 'POST',
      anonymousLimit: 'without account',
      async handle(request, reply) {
        const emails = (await readForm(app, request)).get('emails') ?? ''
        return handle(request, reply, (actor, t) => invite(app, actor, t, emails))
      },
    },
  ]
}

async function invite(app: App, actor: Actor, t: Translate, emails: string): Promise<PageContent> {
  const streams = await listDefaultStreams(app.db, actor.organization_id)
  try {
    const invite_as = Role.member
    const stream_ids = streams.map(({ id }) => id)
    await invitePeople(app, actor, { invitee_emails: emails, invite_as, stream_ids })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.is('SOME_NOT_INVITED'))
      return invitedPage(app, actor, t, emails, renderNotice('warning', t('invite.left_out')))
    const problem = explain(t, error)
    if (problem === undefined) throw error
    return { status: 400, ...askPage(t, emails, problem) }
  }
  return invitedPage(app, actor, t, emails)
}

/**
 * Returns the text that explains why nobody was invited; undefined for errors that have their own
 * page.
 */
function explain(t: Translate, error: ApiError): string | undefined {
  if (error.is('ADDRESSES_NOT_VALID') || error.is('NO_ADDRESS_TO_INVITE')) return t('invite.malformed')
  if (error.is('NOBODY_INVITED')) return t('invite.nobody')
  if (error.is('MAIL_NEEDS_EXTERNAL_URL')) return t('invite.no_url')
  if (error.is('NO_STREAM_TO_JOIN')) return t('invite.no_stream')
  if (error.is('INVITES_USED_UP')) return t('invite.used_up')
  if (error.is('TOO_NEW_TO_INVITE')) return t('invite.too_new')
  return undefined
}

function askPage(t: Translate, value = '', problem?: string): PageContent {
  const addresses = field({
    name: 'emails',
    label: t('invite.emails'),
    hint: t('invite.emails_hint'),
    type: 'text',
    autocomplete: 'off',
    value,
    problem,
    isFirst: true,
    maxLength: 10_000,
  })
  return {
    title: t('invite.title'),
    content: html`<p>${t('invite.text')}</p>${form(t('invite.submit'), addresses)}`,
  }
}

async function invitedPage(
  app: App,
  actor: Actor,
  t: Translate,
  emails: string,
  remark?: Html,
): Promise<PageContent> {
  const addresses = readAddresses(emails)
  const retryLink = html`<p><a href="${path}">${t('invite.again')}</a></p>`
  const title = t('invite.done_title')
  if (canSendMail(app)) {
    const mailed = renderNotice('success', t('invite.mailed', { count: addresses.length }))
    return { title, content: html`${remark ?? mailed}${retryLink}` }
  }
  const foldedAddresses = new Set(addresses.map((address) => address.toLowerCase()))
  const { invites } = await listOpenInvitations(app, actor)
  const links = invites.filter(({ email }) => email && foldedAddresses.has(email.toLowerCase()))
  const list = links.map(
    ({ email, link_url }): Html => html`<dt>${email}</dt><dd><code>${link_url ?? ''}</code></dd>`,
  )
  return {
    title,
    isWide: true,
    content: html`${remark}<p>${t('invite.links', { count: links.length })}</p><dl class="Page-facts">${list}</dl>${retryLink}`,
  }
}

const refusals = {
  guest: 'invite.guest',
  'administrators only': 'invite.refused',
  'too new': 'invite.too_new',
} as const satisfies Record<InviteRefusal, string>

const refusedPage = (t: Translate, refusal: InviteRefusal): PageContent => ({
  status: 403,
  title: t('invite.refused_title'),
  content: html`<p>${t(refusals[refusal])}</p>`,
})

const homeLink = (t: Translate) => [{ url: '/', text: t('invite.home') }]
