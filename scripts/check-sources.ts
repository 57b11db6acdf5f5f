import { existsSync, globSync, readFileSync } from 'node:fs'
import { findFloatingPromises } from './floating-promises.ts'
import { findMissingPaths } from './how-to-paths.ts'
import { checkImports, findImportCycles, type SourceFile } from './import-arrows.ts'
import { findOutboundConnections } from './outbound-connections.ts'

const read = (pattern: string): SourceFile[] =>
  globSync(pattern, { exclude: ['**/node_modules/**'] }).map((path) => ({
    path,
    text: readFileSync(path, 'utf8'),
  }))
const sources = read('{packages,apps}/*/src/**/*.ts')
const others = [...read('{packages,apps}/*/{bundle,scripts,test}/**/*.ts'), ...read('scripts/**/*.ts')]
const circles = findImportCycles([...sources, ...others]).map((circle) => `import circle: ${circle}`)
const floating = findFloatingPromises([...sources, ...others])
const missing = findMissingPaths(read('docs/how-to/*.md'), existsSync)
const wrong = [
  ...checkImports(sources),
  ...circles,
  ...floating,
  ...findOutboundConnections(sources),
  ...missing,
]
for (const line of wrong) process.stderr.write(`${line}\n`)
process.exitCode = wrong.length > 0 ? 1 : 0
