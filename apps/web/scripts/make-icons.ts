import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

// Writes the icons that the client uses as one file of symbols, and their names; with --check, fails if a file is out of
// date. To add an icon, add its name from lucide.dev to this list and run: npm run icons -w apps/web
const names = [
  'archive',
  'arrow-down',
  'arrow-left',
  'arrow-right',
  'arrow-up',
  'at-sign',
  'bell',
  'bell-off',
  'bell-plus',
  'bell-ring',
  'bold',
  'bookmark',
  'bot',
  'building-2',
  'calendar',
  'check',
  'check-check',
  'chevron-down',
  'chevron-left',
  'chevron-right',
  'circle-alert',
  'circle-question-mark',
  'clock',
  'code',
  'copy',
  'corner-up-right',
  'download',
  'ellipsis',
  'external-link',
  'eye',
  'eye-off',
  'file',
  'filter',
  'folder-input',
  'folder-plus',
  'globe',
  'hash',
  'history',
  'image',
  'inbox',
  'info',
  'italic',
  'key-round',
  'keyboard',
  'laptop',
  'link',
  'list',
  'list-ordered',
  'list-todo',
  'lock',
  'log-out',
  'mail',
  'maximize-2',
  'megaphone',
  'menu',
  'message-square',
  'message-square-plus',
  'messages-square',
  'minimize-2',
  'moon',
  'palette',
  'panel-right',
  'paperclip',
  'pencil',
  'pin',
  'plug',
  'plus',
  'quote',
  'refresh-cw',
  'reply',
  'rotate-ccw',
  'search',
  'send-horizontal',
  'settings',
  'shield',
  'smile',
  'smile-plus',
  'square-pen',
  'star',
  'sun',
  'trash-2',
  'triangle-alert',
  'upload',
  'user',
  'user-plus',
  'users',
  'volume-2',
  'wifi-off',
  'x',
]

/** Icons that show the kind of a stream by shape, because colour alone would not suffice. */
const shapes = {
  'shape-public': '<circle cx="12" cy="12" r="7.5"/>',
  'shape-private': '<rect x="5" y="5" width="14" height="14" rx="2"/>',
  'shape-announcement': '<path d="M12 3 21 12 12 21 3 12Z"/>',
}

/** Attributes of outlined icons. The stroke width of 2.25 units of 24 is 1.5 pixels in an icon of 16 pixels. */
const lineAttributes =
  'fill="none" stroke="currentColor" stroke-width="2.25" stroke-linecap="round" stroke-linejoin="round"'

const { resolve } = createRequire(import.meta.url)

function readSvgContent(name: string): string {
  const svg = readFileSync(resolve(`lucide-static/icons/${name}.svg`), 'utf8')
  const [, lines = ''] = /<svg[^>]*>([\s\S]*)<\/svg>/.exec(svg) ?? []
  return lines.replace(/\s*\n\s*/g, '').replaceAll(' />', '/>')
}

const symbols = [
  ...names.map(
    (name) => `<symbol id="${name}" viewBox="0 0 24 24" ${lineAttributes}>${readSvgContent(name)}</symbol>`,
  ),
  ...Object.entries(shapes).map(
    ([name, shape]) => `<symbol id="${name}" viewBox="0 0 24 24" fill="currentColor">${shape}</symbol>`,
  ),
]
const all = [...names, ...Object.keys(shapes)]
const files = {
  'icons.svg': `<!-- Lucide (ISC licence, lucide.dev) and shapes of streams; written by scripts/make-icons.ts -->\n<svg xmlns="http://www.w3.org/2000/svg">\n${symbols.join('\n')}\n</svg>\n`,
  'icon-names.generated.ts': `// Written by scripts/make-icons.ts; do not edit.\n\nexport const iconNames = [\n${all.map((name) => `  '${name}',\n`).join('')}] as const\n\n/** The name of a client icon. */\nexport type IconName = (typeof iconNames)[number]\n`,
}

for (const [name, text] of Object.entries(files)) {
  const file = new URL(`../src/ui/${name}`, import.meta.url)
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`apps/web/src/ui/${name} is out of date. Run: npm run icons -w apps/web\n`)
    process.exitCode = 1
  }
}
