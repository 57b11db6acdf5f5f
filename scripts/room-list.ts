import { existsSync, readFileSync } from 'node:fs'
import { areas } from './checks/import-arrows.ts'

const source = 'apps/server/src'

/** Descriptions of areas, and of folders and files that have no `feature.ts`. */
const others: Record<string, string> = {
  'node.ts': 'starts and stops a node; opens the database for a command',
  'app.ts': 'builds the HTTP server from platform and features',
  'features.ts': 'lists the features, and collects what they add',
  'migrations/':
    'numbered SQL files, and schema.sql, their result; SQL functions are in files of the features',
  'platform/':
    'config, database, HTTP, requests to other hosts, jobs, files, images, mail, log, metrics, traces, secrets; imports no feature',
  'events/': 'emit, the sequencer, the log, carriers, delivery, coherent caches; imports no feature either',
  'identity/accounts/':
    'data of accounts that all features need: e-mail addresses, avatars, watchers of bots',
  'people/': 'accounts, and what people tell others about themselves',
  'joining/': 'how people get an account, sign in again and see their sessions',
  'bots/': 'deliveries of other services to bots, and calls of services by bots',
  'administration/': 'what owners, administrators and the law ask of an organization',
  'pages/': 'pages for browsers: the web client, the start page, the reference of the API',
  'api/': 'serves the endpoints of the contract and the deliveries of webhooks',
  'operators/': 'what `oxbow` commands call, one file per noun; opens the database without a node',
}
const files = ['node.ts', 'app.ts', 'features.ts']

/** Replaces the list of the server's folders in a document, between the marks. */
export function withRoomList(document: string): string {
  const marks = /<!-- rooms -->[\s\S]*?(?=\nA feature has)/
  if (!marks.test(document)) throw new Error('docs/architecture.md has no mark <!-- rooms -->')
  return document.replace(marks, () => `<!-- rooms -->\n${formatList()}`)
}

/** Lists the areas from the top down, as imports point. */
function formatList(): string {
  const folders = Object.entries(areas).toReversed().flatMap(listArea)
  const entries = [...files, ...folders, 'events/', 'platform/', 'migrations/']
  const lines = entries.map((entry) => describeEntry(entry, others[entry] ?? readDescription(entry)))
  return `\`\`\`\n${source}/\n${lines.join('\n')}\n\`\`\`\n`
}

function listArea([area, members]: [string, readonly string[]]): string[] {
  const inside = members.filter((member) => member !== area).map((member) => `${member}/`)
  return [`${area}/`, ...inside]
}

const width = 27

function describeEntry(entry: string, description: string): string {
  const [area, feature] = entry.split('/')
  const name = feature ? `    ${feature}/` : `  ${area}${entry.endsWith('/') ? '/' : ''}`
  const gap = name.length < width ? ' '.repeat(width - name.length) : `\n${' '.repeat(width)}`
  return `${name}${gap}${description}`
}

/** Returns the doc comment of a feature's declaration, which describes its folder. */
function readDescription(folder: string): string {
  const file = `${source}/${folder}feature.ts`
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const [, comment] = /\/\*\* ((?:(?!\*\/)[\s\S])*?)\.? \*\/\nexport const/.exec(text) ?? []
  if (!comment) throw new Error(`${file} has no comment above its declaration that describes the folder`)
  const [first = '', second = ''] = comment
  // Lowers the first letter, unless the comment begins with the name of a program or a path.
  return /[A-Z]/.test(second) ? comment : first.toLowerCase() + comment.slice(1)
}
