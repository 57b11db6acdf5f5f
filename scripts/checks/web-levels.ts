/**
 * Folders of the web client from top to bottom. A file imports only from its own folder and from lower
 * levels. Folders on the same level do not import each other.
 */
export const levels: readonly (readonly string[])[] = [
  ['shell'],
  ['jump'],
  ['keys'],
  ['notifications'],
  ['conversation'],
  ['bots'],
  ['organization'],
  ['settings'],
  ['search'],
  ['streams'],
  ['messages'],
  ['people'],
  ['composer'],
  ['message-text'],
  ['frame'],
  ['client', 'ui'],
  ['text'],
]
const source = 'apps/web/src/'
/** Folders that are started and not imported: they may import everything. */
const entries = ['', 'styleguide']

/** Returns why a file of the web client may not import another; undefined if it may. */
export function findLevelViolation(path: string, imported: string): string | undefined {
  const [from, to] = [folderOf(path), folderOf(imported)]
  if (from === 'client' && path.endsWith('.tsx')) return 'client contains no components'
  if (from === undefined || to === undefined || from === to || entries.includes(from)) return undefined
  const [above, below] = [levelOf(from), levelOf(to)]
  if (above === -1) return `${from} is on no level; add it to scripts/checks/web-levels.ts`
  return above < below
    ? undefined
    : `${from} is not above ${to} in scripts/checks/web-levels.ts and may not import it`
}

const levelOf = (folder: string): number => levels.findIndex((names) => names.includes(folder))

/** Returns the folder below `src`, empty for files directly in it; undefined for files elsewhere. */
function folderOf(path: string): string | undefined {
  if (!path.startsWith(source)) return undefined
  const [folder = '', ...rest] = path.slice(source.length).split('/')
  return rest.length > 0 ? folder : ''
}
