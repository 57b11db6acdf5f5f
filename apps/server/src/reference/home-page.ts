import { ApiError } from '@oxbow/contract'
import { findOrganization } from '../organization/queries.ts'
import type { App } from '../platform/app.ts'
import type { OrganizationRow } from '../platform/database/tables.ts'
import { type Html, html } from '../platform/html.ts'
import { wantsPage } from '../platform/http/error-page.ts'
import { resolveRequest } from '../platform/http/host.ts'
import type { Page } from '../platform/http/http-server.ts'
import { secretPageHeaders } from '../platform/http/secret-page-headers.ts'
import { renderPage } from '../platform/page-layout.ts'

/** The page at the root of the server, for browsers. Programs get a 404 there. */
export function homePages(app: App): Page[] {
  return [
    {
      path: '/',
      name: 'home',
      handle: async (request, reply) => {
        if (!wantsPage(request)) throw new ApiError('NOT_FOUND')
        const { subdomain, origin } = resolveRequest(app.config, request)
        const organization = subdomain === null ? undefined : await findOrganization(app.db, subdomain)
        const page = organization ? introduce(organization, origin) : nobodyHere(subdomain)
        return reply
          .code(organization ? 200 : 404)
          .headers({ ...secretPageHeaders, vary: 'accept' })
          .type('text/html')
          .send(page)
      },
    },
  ]
}

function introduce({ name, deactivated_at }: OrganizationRow, origin: string): string {
  if (deactivated_at)
    return renderPage(
      name,
      html`<p>This organization was deactivated. Its operator can bring it back.</p>${links}`,
    )
  return renderPage(
    name,
    html`<p>This is the chat server of ${name}. It has no page to sign in on yet: use a client program with the address
      <b>${origin}</b>, your e-mail address and your password or API key.</p>${links}`,
  )
}

function nobodyHere(subdomain: string | null): string {
  const text =
    subdomain === ''
      ? html`<p>This server runs, and has no organization at this address yet. Its operator creates one with
          <code>oxbow organization create</code>.</p>${links}`
      : html`<p>There is no organization at this address. The name before the first dot may be mistyped.</p>`
  return renderPage('No organization here', text)
}

const links: Html = html`<p>For programs: <a href="/api/docs">API reference</a>,
  <a href="/integrations">integrations</a>, <a href="/api/markdown">how messages are written</a>.</p>`
