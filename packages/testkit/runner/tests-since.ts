import { findBasicFile, listChangedFiles, readSources, withoutDerived } from './changed-files.ts'
import { type ReachedTest, TestReach } from './reached-tests.ts'
import { SourceGraph } from './source-graph.ts'

/** Tests whose reasons are printed. */
const maxShownTests = 30

/** Returns the tests among `tests` that changes since a revision reach, and prints them with the reasons. */
export function chooseTestsSince(revision: string, tests: readonly string[]): string[] {
  const changed = listChangedFiles(revision)
  const graph = new SourceGraph(readSources())
  const basic = findBasicFile(changed, graph)
  if (basic !== undefined) {
    process.stdout.write(`All ${tests.length} test files: every test depends on ${basic}.\n`)
    return [...tests]
  }
  const reached = new TestReach(graph).find(tests, new Set(withoutDerived(changed)))
  process.stdout.write(describeReached(reached, { tests: tests.length, changed: changed.length, revision }))
  return reached.map(({ test }) => test)
}

function describeReached(
  reached: readonly ReachedTest[],
  { tests, changed, revision }: { tests: number; changed: number; revision: string },
): string {
  const files = changed === 1 ? 'file that changed' : `${changed} files that changed`
  const lines = reached.slice(0, maxShownTests).map(({ test, chain }) => `  ${test}${describeChain(chain)}`)
  const rest = reached.length - lines.length
  return [
    `${reached.length} of ${tests} test files use the ${files} since ${revision}, the closest ones first:`,
    ...lines,
    ...(rest > 0 ? [`  and ${rest} more`] : []),
    '',
  ].join('\n')
}

/** Names the file through which a test reaches the changed file, and that file. */
function describeChain(chain: readonly string[]): string {
  const [, first, ...others] = chain
  if (first === undefined) return ' changed'
  const last = others.at(-1)
  const between = others.length > 1 ? ' … ' : ' '
  return last === undefined ? ` → ${first}` : ` → ${first}${between}→ ${last}`
}
