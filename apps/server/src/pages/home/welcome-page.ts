import type { Translate } from '@oxbow/texts'
import { html } from '../../platform/html.ts'
import { part } from '../../platform/pages/fields.ts'
import type { PageContent } from '../../platform/pages/send-page.ts'
import { asCode, rich } from '../../platform/pages/texts.ts'

export interface Welcome {
  /** Name of the organization. */
  organization: string
  full_name: string
  delivery_email: string
  origin: string
  mayInvite: boolean
}

/**
 * Renders the page that a signed-in person sees if the web client was not built. It explains how to
 * build the client, how to connect programs and how to sign out.
 */
export function welcomePage(t: Translate, welcome: Welcome): PageContent {
  const { organization, full_name, delivery_email, origin, mayInvite } = welcome
  const content = html`<p>${rich(t, 'home.no_client', { code: asCode })}</p>
    ${part(
      t('home.connect_title'),
      html`<p>${t('home.connect')}</p>
        <dl class="Page-facts"><dt>${t('home.server')}</dt><dd><code>${origin}</code></dd>
        <dt>${t('home.email')}</dt><dd><code>${delivery_email}</code></dd></dl>`,
    )}
    ${
      mayInvite &&
      part(
        t('home.invite_title'),
        html`<p>${t('home.invite')}</p><p><a class="Button" href="/invite">${t('home.invite_link')}</a></p>`,
      )
    }
    ${part(
      t('home.bots_title'),
      html`<p>${t('home.bots')}</p>
        <pre><code>${keyCommand(welcome)}</code></pre>
        <p>${t('home.bots_next')}</p>
        <ul class="Page-links"><li><a href="/api/docs">${t('home.read_reference')}</a></li>
        <li><a href="/integrations">${t('home.read_integrations')}</a></li>
        <li><a href="/api/markdown">${t('home.read_markdown')}</a></li></ul>`,
    )}
    <div class="Page-part"><form method="post" action="/logout"><button class="Button Button-quiet">${t('home.sign_out')}</button></form></div>`
  return { title: t('home.title', { organization, name: full_name }), content, isWide: true }
}

/** Returns a shell command for bash and zsh that asks for the password and prints the API key. */
function keyCommand({ origin, delivery_email }: Welcome): string {
  return [
    `read -rs password && curl ${origin}/api/v1/fetch_api_key \\`,
    `  --data-urlencode ${quote(`username=${delivery_email}`)} \\`,
    '  --data-urlencode "password=$password"',
  ].join('\n')
}

/** Quotes an argument for a shell. */
const quote = (argument: string): string => `'${argument.replaceAll("'", "'\\''")}'`
