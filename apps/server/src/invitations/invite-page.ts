import { ApiError, Role } from '@oxbow/contract'
import type { Translate } from '@oxbow/texts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { runAsSignedIn } from '../identity/authenticate-page.ts'
import { brandOf } from '../organization/brand.ts'
import { getOrganization } from '../organization/queries.ts'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import { type Html, html } from '../platform/html.ts'
import type { Page } from '../platform/http/http-server.ts'
import { canSendMail } from '../platform/mail.ts'
import { field, form, notice } from '../platform/pages/fields.ts'
import { readForm } from '../platform/pages/read-form.ts'
import { type PageContent, sendPage } from '../platform/pages/send-page.ts'
import { textsFor } from '../platform/pages/texts.ts'
import { listDefaultStreams } from '../streams/defaults/queries.ts'
import { canInvite } from './access.ts'
import { readAddresses } from './addresses.ts'
import { invitePeople } from './invite-people.ts'
import { listOpenInvitations } from './list-invitations.ts'

const path = '/invite'

/** The page on which a person who is signed in invites others by e-mail address. */
export function invitePages(app: App): Page[] {
  const handle = async (
    request: FastifyRequest,
    reply: FastifyReply,
    answer: (actor: Actor, t: Translate) => Promise<PageContent>,
  ): Promise<FastifyReply> => {
    const t = textsFor(request)
    const page = await runAsSignedIn(app, request, async (actor): Promise<PageContent | undefined> => {
      if (!actor) return undefined
      const organization = await getOrganization(app.db, actor.organization_id)
      const shown = canInvite(organization, actor) ? await answer(actor, t) : refusedPage(t)
      return { ...shown, brand: brandOf(organization), links: homeLink(t) }
    })
    return page ? sendPage(reply, page) : reply.redirect(`/login?next=${encodeURIComponent(path)}`, 302)
  }
  return [
    {
      path,
      name: 'invite',
      countsAsStranger: 'without account',
      handle: (request, reply) => handle(request, reply, async (_actor, t) => askPage(t)),
    },
    {
      path,
      name: 'invite',
      method: 'POST',
      countsAsStranger: 'without account',
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
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    if (!error.is('SOME_NOT_INVITED')) return { status: 400, ...askPage(t, emails, explain(t, error)) }
    return invitedPage(app, actor, t, emails, notice('warning', t('invite.left_out')))
  }
  return invitedPage(app, actor, t, emails)
}

/** Says in the language of the page why nobody was invited. */
function explain(t: Translate, error: ApiError): string {
  if (error.is('ADDRESSES_NOT_VALID') || error.is('NO_ADDRESS_TO_INVITE')) return t('invite.malformed')
  if (error.is('NOBODY_INVITED')) return t('invite.left_out')
  if (error.is('MAIL_NEEDS_EXTERNAL_URL')) return t('invite.no_url')
  if (error.is('NO_STREAM_TO_JOIN')) return t('invite.no_stream')
  return t('invite.too_many')
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
  const count = addresses.length
  const again = html`<p><a href="${path}">${t('invite.again')}</a></p>`
  const title = t('invite.done_title')
  if (canSendMail(app))
    return { title, content: html`${remark ?? notice('success', t('invite.mailed', { count }))}${again}` }
  const wanted = new Set(addresses.map((address) => address.toLowerCase()))
  const { invites } = await listOpenInvitations(app, actor)
  const links = invites.filter(({ email }) => email && wanted.has(email.toLowerCase()))
  const list = links.map(
    ({ email, link_url }): Html => html`<dt>${email}</dt><dd><code>${link_url ?? ''}</code></dd>`,
  )
  return {
    title,
    isWide: true,
    content: html`${remark}<p>${t('invite.links', { count })}</p><dl class="Page-facts">${list}</dl>${again}`,
  }
}

const refusedPage = (t: Translate): PageContent => ({
  status: 403,
  title: t('invite.refused_title'),
  content: html`<p>${t('invite.refused')}</p>`,
})

const homeLink = (t: Translate) => [{ url: '/', text: t('invite.home') }]
