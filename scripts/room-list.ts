import { existsSync, readFileSync } from 'node:fs'
import { features } from './import-arrows.ts'

const source = 'apps/server/src'

/** Descriptions of folders and files that have no `feature.ts`. */
const others: Record<string, string> = {
  'node.ts': 'starts and stops a node; opens the database for a command',
  'app.ts': 'builds the HTTP server from platform and features',
  'features.ts': 'lists the features, and collects what they add',
  'platform/':
    'config, database, HTTP, requests to other hosts, jobs, files, images, mail, log, metrics, traces, secrets; imports no feature',
  'events/': 'emit, the sequencer, the log, carriers, delivery, coherent caches; imports no feature either',
  'accounts/': 'data of accounts that all features need: e-mail addresses, avatars, watchers of bots',
  'migrations/':
    'numbered SQL files, and schema.sql, their result; SQL functions are in files of the features',
}

/** Replaces the list of the server's folders in a document, between the marks. */
export function withRoomList(document: string): string {
  const marks = /<!-- rooms -->[\s\S]*?(?=\nA feature has)/
  if (!marks.test(document)) throw new Error('docs/architecture.md has no mark <!-- rooms -->')
  return document.replace(marks, () => `<!-- rooms -->\n${formatList()}`)
}

function formatList(): string {
  const names = Object.keys(others).filter((name) => name !== 'accounts/' && name !== 'migrations/')
  const entries = [...names, ...features.map((feature) => `${feature}/`), 'migrations/']
  const lines = entries.map((entry) => describeEntry(entry, others[entry] ?? readDescription(entry)))
  return `\`\`\`\n${source}/\n${lines.join('\n')}\n\`\`\`\n`
}

const width = 19

function describeEntry(entry: string, description: string): string {
  const name = `  ${entry}`
  const gap = name.length < width ? ' '.repeat(width - name.length) : `\n${' '.repeat(width)}`
  return `${name}${gap}${description}`
}

/** Returns the doc comment of a feature's declaration, which describes its folder. */
function readDescription(folder: string): string {
  const file = `${source}/${folder}feature.ts`
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const [, comment] = /\/\*\* ([\s\S]*?)\.? \*\/\nexport const/.exec(text) ?? []
  if (!comment) throw new Error(`${file} has no comment above its declaration that describes the folder`)
  const [first = '', second = ''] = comment
  // Lowers the first letter, unless the comment begins with the name of a program or a path.
  return /[A-Z]/.test(second) ? comment : first.toLowerCase() + comment.slice(1)
}
