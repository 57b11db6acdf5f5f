import { hash } from 'node:crypto'
import type { App } from '../../../platform/app.ts'
import { Html, html } from '../../../platform/html.ts'
import { referencePolicy, renderReference } from '../layout.ts'
import { findGuide, type Guide, listGuides, urlFor } from './guides.ts'
import { renderGuide } from './render-guide.ts'

/**
 * Script that inserts the typed values into every occurrence of the webhook URL. It sends nothing
 * to the server.
 */
const source = `
const [stream, topic, shown, copy] = ['stream', 'topic', 'url', 'copy'].map((id) => document.getElementById(id))
const base = new URL(shown.dataset.base)
base.searchParams.delete('stream')
const fill = () => {
  const url = new URL(base)
  for (const field of [stream, topic]) if (field.value.trim()) url.searchParams.set(field.id, field.value.trim())
  for (const element of [shown, ...document.querySelectorAll('.url')]) element.textContent = url.href
}
for (const field of [stream, topic]) field.addEventListener('input', fill)
document.querySelector('.Guide-fields').hidden = false
copy.hidden = !navigator.clipboard
copy.addEventListener('click', async () => {
  await navigator.clipboard.writeText(shown.textContent)
  copy.textContent = 'Copied'
  setTimeout(() => (copy.textContent = 'Copy'), 2000)
})
`

const script = new Html(source)

/** Content security policy: no other script may run on the page. */
const scriptPolicy = `script-src 'sha256-${hash('sha256', source, 'base64')}'`

/** Content security policy of the page, which has a script. */
export const guidePolicy = `${referencePolicy}; ${scriptPolicy}`

/**
 * Returns the page that explains how to set up one service, with its webhook URL; undefined if
 * there is no integration of this name.
 */
export async function renderGuideFor(app: App, name: string, origin: string): Promise<string | undefined> {
  const guide = await findGuide(name)
  if (!guide) return undefined
  const url = urlFor(guide, origin)
  const guidesInCategory = (await listGuides(app)).filter(({ category }) => category === guide.category)
  return renderGuidePage(guide, { body: await renderGuide(app, guide, url), url, guidesInCategory })
}

function renderGuidePage(
  guide: Guide,
  { body, url, guidesInCategory }: { body: Html; url: string; guidesInCategory: readonly Guide[] },
): string {
  const { name, title, category, usesBasicAuth } = guide
  const links = guidesInCategory.map((other) =>
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
<p>${usesBasicAuth ? basicText : keyText}</p>
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
