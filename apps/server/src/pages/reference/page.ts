import { chatFeatureLevel, chatVersion, listEndpoints, type NamedEndpoint } from '@oxbow/contract'
import { escapeHtml, type Html, html } from '../../platform/html.ts'
import {
  curlExample,
  describeCallers,
  describeErrors,
  describeParams,
  describeResponse,
  type Row,
} from './describe.ts'
import { renderReference } from './layout.ts'

/**
 * Placeholder for the server's address while the page is built. No text of the contract contains
 * it.
 */
const originMark = 'ORIGIN-OF-THIS-SERVER'
let built: string | undefined

/**
 * Returns the API reference as a page without scripts, generated from the contract. It is built
 * once, because building blocks the event loop for a while; only the server's address differs
 * between hosts.
 */
export function referencePage(origin: string): string {
  built ??= buildPage(originMark)
  return built.replaceAll(originMark, () => escapeHtml(origin))
}

function buildPage(origin: string): string {
  const groups = Object.entries(Object.groupBy(listEndpoints(), ({ group }) => group)) as [
    string,
    NamedEndpoint[],
  ][]
  return renderReference({
    title: 'Oxbow API',
    navigation: html`<h1>Oxbow API</h1>${groups.map(([group, endpoints]) => navigation(group, endpoints))}`,
    content: html`${introduction(origin)}
${groups.map(([group, endpoints]) => html`<h2>${title(group)}</h2>${endpoints.map((named) => section(named, origin))}`)}`,
  })
}

const title = (group: string): string =>
  group
    .replace(/([A-Z])/g, ' $1')
    .toLowerCase()
    .replace(/^./, (first) => first.toUpperCase())

function navigation(group: string, endpoints: NamedEndpoint[]): Html {
  const links = endpoints.map(
    ({ name, endpoint }) =>
      html`<li><a href="#${name}">${methodMark(endpoint)} ${shortPath(endpoint.path)}</a></li>`,
  )
  return html`<h2>${title(group)}</h2><ul>${links}</ul>`
}

const methodMark = ({ method }: NamedEndpoint['endpoint']): Html =>
  html`<b class="Method Method-${method}">${method}</b>`

const shortPath = (path: string): string => path.replace('/api/v1', '')

function introduction(origin: string): Html {
  return html`<section>
<p>The chat-service API, release ${chatVersion}, feature level ${chatFeatureLevel}, as this server implements it. It is also available as
<a href="/api/openapi.json">OpenAPI 3.1</a>. See also: <a href="/api/markdown">message formatting</a>, <a href="/integrations">integrations with other services</a>.</p>
<p>Authenticate with HTTP Basic: the e-mail address of the account and its API key.
Send parameters as a form, in the query, as multipart or as one JSON object. In forms and queries, the value of a parameter marked JSON is JSON text.</p>
<pre>curl ${origin}/api/v1/users/me -u EMAIL:API_KEY</pre>
<p>A successful answer is <code>{"result": "success", "msg": "", …}</code>. An error is
<code>{"result": "error", "code": "…", "msg": "…"}</code>: <code>msg</code> is for people, <code>code</code> for programs.
Any request can fail because of a missing or invalid parameter (400), invalid credentials (401),
too many requests (429, with <code>Retry-After</code>) or an unavailable database (503).</p>
<p>Unknown parameters are ignored and listed in <code>ignored_parameters_unsupported</code> of the answer.</p>
</section>`
}

function section(named: NamedEndpoint, origin: string): Html {
  const { name, endpoint } = named
  return html`<section id="${name}">
<h3>${methodMark(endpoint)} <code>${endpoint.path}</code></h3>
<p>${prose(endpoint.summary)} ${prose(endpoint.description)}</p>
<p class="Reference-callers">${describeCallers(endpoint)}</p>
${table('Parameters', describeParams(endpoint), 'required')}
${table('Answer', describeResponse(endpoint), 'always')}
${errorTable(named)}
<pre>${curlExample(named, origin)}</pre>
</section>`
}

/** Renders a text with `code` in backticks. */
function prose(text = ''): Html[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
}

function table(heading: string, rows: Row[], mark: string): Html | undefined {
  if (rows.length === 0) return undefined
  const lines = rows.map(
    (row) =>
      html`<tr><td><code>${row.name}</code></td><td>${row.type}</td><td>${row.required ? mark : 'optional'}</td><td>${prose(row.about)}</td></tr>`,
  )
  return html`<h4>${heading}</h4><table>${lines}</table>`
}

function errorTable({ endpoint }: NamedEndpoint): Html | undefined {
  const rows = describeErrors(endpoint)
  if (rows.length === 0) return undefined
  const lines = rows.map(
    ({ status, code, msg }) => html`<tr><td>${status}</td><td><code>${code}</code></td><td>${msg}</td></tr>`,
  )
  return html`<details><summary>Specific errors (${rows.length})</summary><table>${lines}</table></details>`
}
