import type { App } from '../platform/app.ts'
import { html } from '../platform/html.ts'

/** Rendering can be slow, so it is done before anything is held. Empty descriptions have no HTML. */
export async function renderDescription(app: App, text: string): Promise<string> {
  if (text === '') return ''
  const rendered = await app.markdown.render({ text })
  // HTML too long to keep: the text as it stands.
  return rendered?.html ?? html`<p>${text}</p>`.text
}
