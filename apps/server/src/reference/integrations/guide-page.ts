import { type Html, html } from '../../platform/html.ts'
import { renderReference } from '../layout.ts'
import { script } from './fill-url.ts'
import type { Guide } from './guides.ts'

/** The page that explains how to set up one service, with the URL of its webhook. */
export function guidePage(
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
<label class="Field">Stream <input class="Field-input" id="stream" autocomplete="off" placeholder="none: to you alone"></label>
<label class="Field">Topic <input class="Field-input" id="topic" autocomplete="off" placeholder="as the service's events say"></label>
</div>
<p class="Guide-copy"><code id="url" data-base="${url}">${url}</code><button class="Button" id="copy" hidden>Copy</button></p>`,
    script,
  })
}

const keyText = html`In place of <code>API_KEY</code> stands the key of an incoming-webhook bot of yours; keep the URL as
secret as the key. Without <code>stream</code> the bot writes to you alone. <code>topic</code> puts everything into one topic.`

const basicText = html`The service signs in by HTTP Basic: the user name is the address of an incoming-webhook bot of yours, the password
its API key. Without <code>stream</code> the bot writes to you alone. <code>topic</code> puts everything into one topic.`
