import type { App } from '../platform/app.ts'
import { html } from '../platform/html.ts'

/**
 * Renders a description. Call this before taking locks, because it can be slow. An empty
 * description has no HTML.
 */
export async function renderDescription(app: App, text: string): Promise<string> {
  if (text === '') return ''
  const rendered = await app.markdown.render({ text })
  // If the HTML would be too long to store, the escaped text is used.
  return rendered?.html ?? html`<p>${text}</p>`.text
}
