import type { App } from '../../../platform/app.ts'
import { Html, html } from '../../../platform/html.ts'
import { renderDocument } from '../render-document.ts'
import type { Guide } from './guides.ts'

/** Placeholder for the URL while the guide is rendered, inside and outside of code. */
const urlMark = 'OxbowWebhookUrl'

/** Cached, because files do not change while a node runs. */
const renderedGuides = new Map<string, string>()

/** Renders the guide as HTML, with the URL in place of `{url}`. */
export async function renderGuide({ markdown }: App, { name, text }: Guide, url: string): Promise<Html> {
  const markedHtml =
    renderedGuides.get(name) ?? (await renderDocument(markdown, text.replaceAll('{url}', urlMark)))
  renderedGuides.set(name, markedHtml)
  // The guide is a file of this repository, so its HTML is trusted.
  return new Html(markedHtml.replaceAll(urlMark, () => html`<span class="url">${url}</span>`.text))
}
