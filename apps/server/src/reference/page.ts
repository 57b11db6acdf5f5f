import { chatFeatureLevel, chatVersion, listEndpoints, type NamedEndpoint } from '@oxbow/contract'
import { escapeHtml, type Html, html } from '../platform/html.ts'
import {
  curlExample,
  describeCallers,
  describeErrors,
  describeParams,
  describeResponse,
  type Row,
} from './describe.ts'
import { styles } from './styles.ts'

/** Stands for the server's own address while the page is built; no text of the contract holds it. */
const originMark = 'ORIGIN-OF-THIS-SERVER'
let built: string | undefined

/**
 * Returns the reference to read in a browser, made from the contract. No script: it works wherever text does. It is built
 * once, because that takes the event loop for a while; only the address differs between hosts.
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
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Oxbow API</title>
<style>${styles}</style>
<nav><h1>Oxbow API</h1>${groups.map(([group, endpoints]) => navigation(group, endpoints))}</nav>
<main>
${introduction(origin)}
${groups.map(([group, endpoints]) => html`<h2>${title(group)}</h2>${endpoints.map((named) => section(named, origin))}`)}
</main>
</html>
`.text
}

const title = (group: string): string =>
  group
    .replace(/([A-Z])/g, ' $1')
    .toLowerCase()
    .replace(/^./, (first) => first.toUpperCase())

function navigation(group: string, endpoints: NamedEndpoint[]): Html {
  const links = endpoints.map(
    ({ name, endpoint }) =>
      html`<li><a href="#${name}"><b class="${endpoint.method}">${endpoint.method}</b> ${shortPath(endpoint.path)}</a></li>`,
  )
  return html`<h3>${title(group)}</h3><ul>${links}</ul>`
}

const shortPath = (path: string): string => path.replace('/api/v1', '')

function introduction(origin: string): Html {
  return html`<section>
<p>The chat-service API, release ${chatVersion}, feature level ${chatFeatureLevel}, as this server speaks it. For programs:
<a href="/api/openapi.json">OpenAPI 3.1</a>. How messages are written: <a href="/api/markdown">formatting</a>. What other services can tell: <a href="/integrations">integrations</a>.</p>
<p>Sign in with HTTP Basic: the e-mail address of the account and its API key.
Parameters travel as a form, in the query, as multipart or as one JSON object; those marked JSON are JSON inside the text.</p>
<pre>curl ${origin}/api/v1/users/me -u EMAIL:API_KEY</pre>
<p>A success is <code>{"result": "success", "msg": "", …}</code>. A refusal is
<code>{"result": "error", "code": "…", "msg": "…"}</code>: people read <code>msg</code>, programs read <code>code</code>.
Any call may also be refused for a parameter that is missing or wrong (400), for its credentials (401),
for too many calls (429, with <code>Retry-After</code>) or while the database is away (503).</p>
<p>Parameters that an endpoint does not know are ignored, and named in <code>ignored_parameters_unsupported</code> of the answer.</p>
</section>`
}

function section(named: NamedEndpoint, origin: string): Html {
  const { name, endpoint } = named
  return html`<section id="${name}">
<h4><b class="${endpoint.method}">${endpoint.method}</b> <code>${endpoint.path}</code></h4>
<p>${prose(endpoint.summary)} ${prose(endpoint.description)}</p>
<p class="callers">${describeCallers(endpoint)}</p>
${table('Parameters', describeParams(endpoint), 'required')}
${table('Answer', describeResponse(endpoint), 'always')}
${errorTable(named)}
<pre>${curlExample(named, origin)}</pre>
</section>`
}

/** Text with `code` in it. */
function prose(text = ''): Html[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
}

function table(heading: string, rows: Row[], mark: string): Html | undefined {
  if (rows.length === 0) return undefined
  const lines = rows.map(
    (row) =>
      html`<tr><td><code>${row.name}</code></td><td>${row.type}</td><td>${row.required ? mark : 'optional'}</td><td>${prose(row.about)}</td></tr>`,
  )
  return html`<h5>${heading}</h5><table>${lines}</table>`
}

function errorTable({ endpoint }: NamedEndpoint): Html | undefined {
  const rows = describeErrors(endpoint)
  if (rows.length === 0) return undefined
  const lines = rows.map(
    ({ status, code, msg }) => html`<tr><td>${status}</td><td><code>${code}</code></td><td>${msg}</td></tr>`,
  )
  return html`<details><summary>Errors of its own (${rows.length})</summary><table>${lines}</table></details>`
}
