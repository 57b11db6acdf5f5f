/** The part of `package-lock.json` that npm also writes to `node_modules/.package-lock.json`. */
export interface Lockfile {
  packages: Record<string, { version?: string; optional?: boolean }>
}

/** Lists packages of the lockfile that are not installed in this version. Optional ones may be for other platforms. */
export function findOutdatedPackages(lockfile: Lockfile, installed: Lockfile): string[] {
  return Object.entries(lockfile.packages).flatMap(([path, { version, optional }]) => {
    if (!path.includes('node_modules/') || installed.packages[path]?.version === version) return []
    if (optional && !installed.packages[path]) return []
    return [`${path.replace(/^node_modules\//, '')} ${version}`]
  })
}
