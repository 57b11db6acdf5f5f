import { areas, packages } from '../checks/import-arrows.ts'
import { levels } from '../checks/web-levels.ts'

/** Sentences about the areas of the server, shown beside their names. */
const areaTexts: Record<string, string> = {
  operators: 'what `oxbow` commands call: one file per noun',
  api: 'serves the endpoints of the contract and the deliveries of webhooks',
  pages: 'pages for browsers',
  administration: 'what owners, administrators and the law ask of an organization',
  bots: 'deliveries of services to bots, and calls of services by bots',
  joining: 'how people get an account and a session',
  reach: 'whether and how a message notifies a person',
  people: 'accounts, and what people tell others about themselves',
  messages: 'send, read, edit, search, flag, schedule',
  streams: 'streams, subscriptions, muted topics',
  'sign-in': 'passwords, and delays after failed attempts',
  organization: 'the community: settings, names, pictures',
  queues: 'register, polls and event streams',
  identity: 'who is calling, and writeAs: the transaction of most changes',
  events: 'outbox, sequencer, event log, carriers, delivery',
  platform: 'database, HTTP, files, images, jobs, mail, threads, log: knows no feature',
}

/** Files directly in the source folder of the server, where reading begins. */
const entries: [file: string, text: string][] = [
  ['node.ts', 'starts a node'],
  ['app.ts', 'builds the server'],
  ['features.ts', 'lists them all'],
]

const levelTexts: Record<string, string> = {
  shell: 'panes, nav, route to view',
  jump: 'jump dialog',
  keys: 'keyboard shortcuts',
  notifications: 'notices, sounds, badge',
  conversation: 'conversation, Inbox',
  bots: 'bots of the user',
  organization: 'invitations, name',
  settings: 'personal settings',
  search: 'search field',
  streams: 'lists and pages of streams',
  messages: 'list, rows, actions',
  people: 'people and profiles',
  composer: 'writing, drafts',
  'message-text': 'HTML of a message',
  frame: 'frames of views, forms',
  client: 'state and requests',
  ui: 'components',
  text: 'texts in all languages',
}

const packageTexts: Record<string, string> = {
  contract: 'endpoints, events, errors as data',
  sdk: 'typed client, event loop, state',
  markdown: 'renders message text',
  search: 'words of a message',
  reach: 'how a message reaches people',
  integrations: 'payloads become messages',
  imports: 'archives of other systems',
  texts: 'texts of pages and e-mails',
  look: 'colours, type, spacing',
  assets: 'where files of a build are',
  testkit: 'a whole world for tests',
}

const width = 960
const server = { x: 16, width: 584, nameWidth: 126 }
const web = { x: 634, width: 298, nameWidth: 116 }
/** Estimated width of a letter, and the space on both sides of a label. */
const chip = { height: 20, gap: 6, letter: 6.8, padding: 16 }

/** A part of the picture and the height that it takes. */
interface Drawn {
  lines: string[]
  height: number
}

/**
 * Draws the parts of the repository in the order of their imports: the areas of the server, the levels of the web
 * client, and the packages with their importers. Throws if a part has no text here.
 */
export function drawHouseMap(): string {
  const top = 66
  const left = drawStack(top, drawServerBands())
  const right = drawStack(top, drawWebBands())
  const cliTop = top + right.height + 14
  const cli = drawCommandLine(cliTop)
  const bottom = Math.max(top + left.height, cliTop + cli.height) + 62
  const cards = drawPackages(bottom)
  const height = bottom + cards.height + 16
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13">`,
    '  <title>The server in areas, the web client in levels, and the packages with their importers</title>',
    '  <style>',
    ...styles,
    '  </style>',
    `  <rect class="ground" width="${width}" height="${height}" rx="12"/>`,
    ...drawHeading(server.x, 'apps/server/src', 'a file imports only from its own area and the areas below'),
    ...drawHeading(web.x, 'apps/web/src', 'levels: imports point down'),
    ...left.lines,
    ...right.lines,
    ...cli.lines,
    drawArrow(server.x + server.width + 12, top, top + left.height - 4),
    drawArrow(web.x + web.width + 12, top, top + right.height - 4),
    ...drawHeading(server.x, 'packages', 'each with the apps and packages that import it', bottom - 46),
    ...cards.lines,
    '</svg>',
  ].join('\n')}\n`
}

const styles = [
  '    .ground { fill: #f7fafb } .band { fill: #e6f0f3; stroke: #b9d3db } .base { fill: #d3e6ec; stroke: #8fb9c6 } .arrow { fill: none; stroke: #1f6f8b; stroke-width: 1.6 }',
  '    .chip { fill: #ffffff; stroke: #b9d3db } .text { fill: #14303a } .name { fill: #14303a; font-weight: 600 } .soft { fill: #4b646d; font-size: 12px; font-weight: 400 } .small { fill: #27444e; font-size: 11.5px }',
  '    .server { fill: #1f6f8b } .web { fill: #2d7a3e } .cli { fill: #8a4a12 } .testkit { fill: #6b5a86 } .package { fill: #5b6b72 } .tag { fill: #ffffff; font-size: 11px }',
  '    @media (prefers-color-scheme: dark) {',
  '      .ground { fill: #10191d } .band { fill: #18272d; stroke: #31505b } .base { fill: #1d353e; stroke: #4a7786 } .arrow { stroke: #5fb3cc }',
  '      .chip { fill: #0f1a1e; stroke: #31505b } .text, .name { fill: #e3f1f5 } .soft { fill: #a6c0c9 } .small { fill: #c9dde4 }',
  '    }',
]

const drawHeading = (x: number, name: string, text: string, y = 16): string[] => [
  `  <text class="name" x="${x}" y="${y + 16}" font-size="15">${name}</text>`,
  `  <text class="soft" x="${x}" y="${y + 34}">${text}</text>`,
]

/** Draws the direction of imports beside a stack. */
const drawArrow = (x: number, from: number, to: number): string =>
  `  <path class="arrow" d="M${x},${from} V${to} m-5,-7 l5,7 l5,-7"/>`

/** Draws parts below each other. */
function drawStack(top: number, parts: readonly ((y: number) => Drawn)[]): Drawn {
  let y = top
  const lines: string[] = []
  for (const draw of parts) {
    const part = draw(y)
    lines.push(...part.lines)
    y += part.height + 4
  }
  return { lines, height: y - top }
}

function drawServerBands(): ((y: number) => Drawn)[] {
  const bands = Object.entries(areas)
    .toReversed()
    .map(
      ([area, members]) =>
        (y: number) =>
          drawBand(y, area, find(areaTexts, area), listChips(area, members)),
    )
  const base = ['events', 'platform'].map(
    (folder) => (y: number) => drawBand(y, folder, find(areaTexts, folder), [], 'base'),
  )
  return [drawEntries, ...bands, ...base]
}

function drawEntries(y: number): Drawn {
  const size = (server.width - 8) / 3
  const lines = entries.flatMap(([file, text], index) => {
    const x = server.x + index * (size + 4)
    return [
      `  <rect class="base" x="${x}" y="${y}" width="${size}" height="28" rx="6"/>`,
      drawLine(x + 12, y + 19, file, text),
    ]
  })
  return { lines, height: 28 }
}

/** Draws a name in bold and a sentence beside it, `offset` to the right of the name's start. */
const drawLabel = (x: number, y: number, name: string, text: string, offset: number): string =>
  `  <text class="name" x="${x}" y="${y}">${name}</text><text class="soft" x="${x + offset}" y="${y}">${format(text)}</text>`

/** Draws a name in bold and a sentence right after it. */
const drawLine = (x: number, y: number, name: string, text: string): string =>
  `  <text class="name" x="${x}" y="${y}">${name}<tspan class="soft" dx="10">${format(text)}</tspan></text>`

/** Returns the names of the features of an area from the top down, without the one that is the area itself. */
const listChips = (area: string, members: readonly string[]): string[] =>
  members
    .filter((member) => member !== area)
    .map((member) => member.slice(area.length + 1))
    .toReversed()

/** Draws an area: its name, its sentence, and its features as chips in one or more rows. */
function drawBand(y: number, name: string, text: string, chips: readonly string[], kind = 'band'): Drawn {
  const left = server.x + server.nameWidth
  const right = server.x + server.width - 10
  const placed: string[] = []
  let [x, row] = [left, 0]
  for (const label of chips) {
    const size = Math.round(label.length * chip.letter + chip.padding)
    if (x + size > right) [x, row] = [left, row + 1]
    const at = y + 27 + row * (chip.height + 4)
    placed.push(
      `  <rect class="chip" x="${x}" y="${at}" width="${size}" height="${chip.height}" rx="10"/><text class="small" x="${x + size / 2}" y="${at + 14}" text-anchor="middle">${label}</text>`,
    )
    x += size + chip.gap
  }
  const height = chips.length === 0 ? 28 : 33 + (row + 1) * (chip.height + 4) - 4
  return {
    lines: [
      `  <rect class="${kind}" x="${server.x}" y="${y}" width="${server.width}" height="${height}" rx="6"/>`,
      drawLabel(server.x + 12, y + 19, name, text, server.nameWidth - 12),
      ...placed,
    ],
    height,
  }
}

function drawWebBands(): ((y: number) => Drawn)[] {
  return levels.map((folders) => (y: number) => {
    const share = (web.width - (folders.length - 1) * 4) / folders.length
    const lines = folders.flatMap((folder, index) => drawLevel(y, web.x + index * (share + 4), share, folder))
    return { lines, height: folders.length > 1 ? 44 : 28 }
  })
}

/** Draws a folder of the web client. Where folders share a level, its sentence is below its name. */
function drawLevel(y: number, x: number, size: number, folder: string): string[] {
  const isShared = size < web.width
  const text = find(levelTexts, folder)
  return [
    `  <rect class="band" x="${x}" y="${y}" width="${size}" height="${isShared ? 44 : 28}" rx="6"/>`,
    isShared
      ? `  <text class="name" x="${x + 10}" y="${y + 18}">${folder}</text><text class="soft" x="${x + 10}" y="${y + 35}">${text}</text>`
      : drawLabel(x + 10, y + 19, folder, text, web.nameWidth - 10),
  ]
}

/** Draws the command line, which imports the server. */
function drawCommandLine(y: number): Drawn {
  const lines = [
    ...drawHeading(web.x, 'apps/cli/src', 'the command oxbow: imports apps/server', y + 10),
    `  <rect class="band" x="${web.x}" y="${y + 60}" width="${web.width}" height="28" rx="6"/>`,
    drawLabel(web.x + 10, y + 79, 'commands', 'one file per command', web.nameWidth - 10),
    `  <rect class="band" x="${web.x}" y="${y + 92}" width="${web.width}" height="28" rx="6"/>`,
    drawLabel(web.x + 10, y + 111, 'processes', 'several nodes on one port', web.nameWidth - 10),
  ]
  return { lines, height: 124 }
}

/** Draws a card for each package, with a tag for each app or package that imports it. */
function drawPackages(top: number): Drawn {
  const columns = 3
  const size = (width - 32 - (columns - 1) * 10) / columns
  const cards = Object.keys(packageTexts).map((name, index) => {
    const x = 16 + (index % columns) * (size + 10)
    const y = top + Math.floor(index / columns) * 70
    return [
      `  <rect class="band" x="${x}" y="${y}" width="${size}" height="62" rx="6"/>`,
      drawLine(x + 12, y + 20, name, find(packageTexts, name)),
      ...drawTags(x + 12, y + 32, listImporters(name)),
    ]
  })
  const unknown = Object.keys(packages).filter(
    (path) => path.startsWith('packages/') && !(path.slice('packages/'.length) in packageTexts),
  )
  if (unknown.length > 0)
    throw new Error(`scripts/generate/house-map.ts has no text for ${unknown.join(', ')}`)
  return { lines: cards.flat(), height: Math.ceil(cards.length / columns) * 70 - 8 }
}

/** Returns the names of the apps and packages that may import a package: apps first. */
function listImporters(name: string): string[] {
  const own = Object.entries(packages).filter(([, { imports }]) => imports.includes(`@oxbow/${name}`))
  const inTests = Object.entries(packages).filter(([, rule]) => rule.inTests?.includes(`@oxbow/${name}`))
  if (own.length === 0 && inTests.length > 0) return ['all tests']
  return own
    .map(([path]) => path)
    .sort()
    .map((path) => path.split('/')[1] as string)
}

function drawTags(start: number, y: number, labels: readonly string[]): string[] {
  let x = start
  return labels.map((label) => {
    const size = Math.round(label.length * 6.2 + 14)
    const kind = ['server', 'web', 'cli', 'testkit'].includes(label) ? label : 'package'
    const line = `  <rect class="${kind}" x="${x}" y="${y}" width="${size}" height="20" rx="10"/><text class="tag" x="${x + size / 2}" y="${y + 14}" text-anchor="middle">${label}</text>`
    x += size + 6
    return line
  })
}

function find(texts: Record<string, string>, name: string): string {
  const text = texts[name]
  if (text === undefined) throw new Error(`scripts/generate/house-map.ts has no text for ${name}`)
  return text
}

const format = (text: string): string => text.replaceAll('`', '').replaceAll('&', '&amp;')
