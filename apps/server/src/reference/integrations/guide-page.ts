import { type Html, html } from '../../platform/html.ts'
import { renderReference } from '../layout.ts'
import { script } from './fill-url.ts'
import type { Guide } from './guides.ts'

/** The page that explains how to set up one service, with the URL of its webhook. */
export function renderGuidePage(
  guide: Guide,
  { body, url, others }: { body: Html; url: string; others: readonly Guide[] },
): string {
  const { name, title, category, isBasic } = guide
  const links = others.map((other) =>
    other.name === name
      ? html`<li><b>${other.title}</b></li>`
      : html`<li><a href="/integrations/${other.name}">${other.title}</a></li>`,
  )
  return renderReference({
    title,
    navigation: html`<h1><a href="/integrations">Integrations</a></h1><h2>${category}</h2><ul>${links}</ul>`,
    content: html`<h2>${title}</h2>
<div class="Guide">${body}</div>
<h3>The URL</h3>
<p>${isBasic ? basicText : keyText}</p>
<div class="Guide-fields" hidden>
<label class="Field">Stream <input class="Field-input" id="stream" autocomplete="off" placeholder="empty: private messages to you"></label>
<label class="Field">Topic <input class="Field-input" id="topic" autocomplete="off" placeholder="empty: chosen by the event"></label>
</div>
<p class="Guide-copy"><code id="url" data-base="${url}">${url}</code><button class="Button" id="copy" hidden>Copy</button></p>`,
    script,
  })
}

const keyText = html`Replace <code>API_KEY</code> with the API key of one of your incoming-webhook bots. Keep the URL as
secret as the key. ${destinationText()}`

const basicText = html`The service signs in with HTTP Basic authentication: the user name is the address of one of your
incoming-webhook bots, the password is its API key. ${destinationText()}`

function destinationText(): Html {
  return html`Without <code>stream</code>, the bot sends its messages to you privately. With <code>topic</code>, all messages
go to that topic.`
}
