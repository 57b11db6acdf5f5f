import type { Case } from '@oxbow/markdown/cases'
import { type Html, html } from '../../platform/html.ts'
import { renderReference } from './layout.ts'

/** The page about message formatting, generated from the test cases of the renderer. */
export async function markdownPage(): Promise<string> {
  // Imported lazily, because only this page needs the cases.
  const { cases, pictureName, typicalCases } = await import('@oxbow/markdown/cases')
  const groups = Object.entries(Object.groupBy(cases, ({ group }) => group)) as [string, Case[]][]
  const slug = (group: string) => pictureName(group).replace('.png', '')
  const sections = groups.map(([group, members]) => {
    const picture = `/static/images/markdown/${pictureName(group)}`
    return section(group, slug(group), picture, typicalCases(members), members)
  })
  return renderReference({
    title: 'Formatting of messages',
    navigation: html`<h1>Formatting</h1><ul>${groups.map(([group]) => html`<li><a href="#${slug(group)}">${group}</a></li>`)}</ul>
<p><a href="/api/docs">API reference</a></p>`,
    content: html`<p>How people write messages, and the HTML that clients get for it. Each line below is also a test of the
renderer, which is the same on the server and in the browser.</p>
${sections}`,
  })
}

function section(group: string, id: string, picture: string, typical: Case[], all: Case[]): Html {
  const typed = typical.map(({ input }) => html`<pre>${input}</pre>`)
  const rows = all.map(
    ({ title, input, html: made }) =>
      html`<tr><td>${title}</td><td><pre>${input}</pre></td><td><pre>${made}</pre></td></tr>`,
  )
  return html`<section id="${id}">
<h2>${group}</h2>
<div class="Reference-form"><div>${typed}</div><img src="${picture}" alt="${group}, as a reader sees it"></div>
<details><summary>Exactly (${all.length})</summary><table class="Reference-cases"><tr><th>case</th><th>typed</th><th>HTML</th></tr>${rows}</table></details>
</section>`
}
