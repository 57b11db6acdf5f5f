import { type Html, html } from '../../platform/html.ts'
import { styles } from '../styles.ts'
import { script } from './fill-url.ts'
import type { Guide } from './guides.ts'
import { integrationStyles } from './styles.ts'

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
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${styles}${integrationStyles}</style>
<nav><h1><a href="/integrations">Integrations</a></h1><h3>${category}</h3><ul>${links}</ul></nav>
<main>
<h2>${title}</h2>
<div class="guide">${body}</div>
<h3>The URL</h3>
<p>${isBasic ? basicText : keyText}</p>
<div class="fill" hidden>
<label>Stream <input id="stream" autocomplete="off" placeholder="none: to you alone"></label>
<label>Topic <input id="topic" autocomplete="off" placeholder="as the service's events say"></label>
</div>
<p class="copy"><code id="url" data-base="${url}">${url}</code><button id="copy" hidden>Copy</button></p>
</main>
<script>${script}</script>
</html>
`.text
}

const keyText = html`In place of <code>API_KEY</code> stands the key of an incoming-webhook bot of yours; keep the URL as
secret as the key. Without <code>stream</code> the bot writes to you alone. <code>topic</code> puts everything into one topic.`

const basicText = html`The service signs in by HTTP Basic: the user name is the address of an incoming-webhook bot of yours, the password
its API key. Without <code>stream</code> the bot writes to you alone. <code>topic</code> puts everything into one topic.`
