/** Files that operating systems add when people unpack and pack an archive. */
const systemFile = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/
const maxNameLength = 1_000

/** Returns whether a name stays inside the archive: relative, without `..`, backslashes and control characters. */
function isSafeName(name: string): boolean {
  if (name === '' || name.length > maxNameLength || /[\\\p{Cc}]/u.test(name)) return false
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return false
  return name.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
}

/**
 * Keeps the files with safe names, without the folder that contains all of them. People often pack an
 * unpacked archive again, and then all names begin with one more folder.
 */
export function normalizeNames<File>(entries: ReadonlyMap<string, File>): {
  files: Map<string, File>
  ignored: string[]
} {
  const ignored: string[] = []
  const kept: [string, File][] = []
  for (const [name, file] of entries) {
    if (isSafeName(name) && !systemFile.test(name)) kept.push([name, file])
    else ignored.push(name)
  }
  for (;;) {
    const folder = commonFolder(kept.map(([name]) => name))
    if (folder === undefined) return { files: new Map(kept), ignored }
    for (const entry of kept) entry[0] = entry[0].slice(folder.length + 1)
  }
}

/** Returns the folder in which all files are; undefined if there is none. */
function commonFolder(names: readonly string[]): string | undefined {
  const [folder, ...rest] = names[0]?.split('/') ?? []
  if (folder === undefined || rest.length === 0) return undefined
  return names.every((name) => name.startsWith(`${folder}/`)) ? folder : undefined
}
