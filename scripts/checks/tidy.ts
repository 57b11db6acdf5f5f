import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { findBrokenLinks } from './document-links.ts'
import { findFloatingPromises } from './floating-promises.ts'
import { findMissingPaths } from './how-to-paths.ts'
import { checkImports, findMissingImports, type SourceFile } from './import-arrows.ts'
import { findOutboundConnections } from './outbound-connections.ts'
import { findFaults } from './prose-rules.ts'
import { judgeCount, tidyCounts } from './tidy-counts.ts'

// node scripts/checks/tidy.ts          checks all rules of the house that need only the text of the files
// node scripts/checks/tidy.ts --list   also lists what the counts consist of

const read = (path: string): SourceFile => ({ path, text: readFileSync(path, 'utf8') })
const readAll = (pattern: string): SourceFile[] =>
  globSync(pattern, { exclude: ['**/node_modules/**'] })
    .sort()
    .map(read)
const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false

const sources = readAll('{packages,apps}/*/src/**/*.{ts,tsx}')
const others = readAll(
  '{{packages,apps}/*/{bin,bundle,relevance,runner,scripts,test},scripts}/**/*.{ts,tsx,js}',
)
const all = [...sources, ...others]
/** Files with prose. The server compares migrations with their applied texts, so those may not change. */
const texts = execFileSync('git', ['ls-files'], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => /\.(ts|tsx|js|mjs|css|html|md|sql|sh|json|yml|yaml|txt|toml)$/.test(path))
  .filter((path) => !path.startsWith('apps/server/src/migrations/') && existsSync(path))
/** Without the guides of integrations, whose links lead to pages of a server. */
const documents = texts.filter((path) => path.endsWith('.md') && !path.startsWith('packages/integrations/'))
const counts = tidyCounts.map((count) => ({ ...judgeCount(count, all), found: count.find(all), count }))

const faults = [
  ...checkImports(sources),
  ...findMissingImports(all, isFile),
  ...findFloatingPromises(all),
  ...findOutboundConnections(sources),
  ...findMissingPaths(readAll('docs/how-to/*.md'), existsSync),
  ...findBrokenLinks(documents.map(read), existsSync, (path) => readFileSync(path, 'utf8')),
  ...texts
    .flatMap((path) => findFaults(read(path)))
    .map(({ path, line, problem }) => `${path}:${line}: ${problem}`),
  ...counts.flatMap(({ fault }) => fault ?? []),
]
const isListing = process.argv.includes('--list')
for (const { found, count, advice } of counts) {
  if (isListing)
    process.stdout.write(`\n${found.length} ${count.name}, at most ${count.limit}, goal ${count.goal}\n`)
  for (const line of isListing ? found : []) process.stdout.write(`  ${line}\n`)
  if (advice) process.stdout.write(`${advice}\n`)
}
for (const fault of faults) process.stderr.write(`${fault}\n`)
process.exitCode = faults.length > 0 ? 1 : 0
