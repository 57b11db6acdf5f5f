import { type Html, html } from '../../../platform/html.ts'
import { renderReference } from '../layout.ts'
import type { Guide } from './guides.ts'

/**
 * Renders the list of all integrations, or of those that match every word of the search. The search
 * is a form, so it works without scripts.
 */
export function renderIntegrationList(guides: readonly Guide[], query: string): string {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const found = guides.filter(({ name, title, category, summary }) => {
    const text = `${name} ${title} ${category} ${summary}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const groups = [...Map.groupBy(found, ({ category }) => category)].sort(([a], [b]) => (a < b ? -1 : 1))
  return renderReference({
    title: 'Integrations',
    navigation: html`<h1>Integrations</h1><ul>${groups.map(([category]) => html`<li><a href="#${slug(category)}">${category}</a></li>`)}</ul>
<p><a href="/api/docs">API reference</a></p>`,
    content: html`<p>Each of these services can send messages to a stream, or to you privately.</p>
<form class="Reference-search" role="search"><input class="Field-input" type="search" name="q" value="${query}" aria-label="Search"
 placeholder="Search ${guides.length} services"> <button class="Button">Search</button></form>
${groups.map(([category, members]) => section(category, members))}
${found.length === 0 && nothingFound(query)}`,
  })
}

const slug = (category: string): string => category.toLowerCase().replaceAll(' ', '-')

function section(category: string, guides: readonly Guide[]): Html {
  const cards = guides.map(
    ({ name, title, summary }) =>
      html`<li><a href="/integrations/${name}"><b>${title}</b><span>${summary}</span></a></li>`,
  )
  return html`<h2 id="${slug(category)}">${category}</h2><ul class="Reference-cards">${cards}</ul>`
}

function nothingFound(query: string): Html {
  return html`<p>Nothing here is called <b>${query}</b>. <a href="/integrations">Show all</a>. A service that can send JSON to a
URL works with <a href="/integrations/json">JSON</a>; one that can send to Slack with
<a href="/integrations/slack_incoming">Slack's format</a>.</p>`
}
