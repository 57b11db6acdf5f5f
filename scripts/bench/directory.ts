import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { startProbedNode } from './events/bench-organization.ts'
import { median, printTable, quantile } from './figures.ts'
import { bound } from './messages/bound.ts'
import { Connection } from './messages/connection.ts'
import { createLargeOrganization } from './subscriptions/large-organization.ts'

const people = 100_000
/** Numbers of different first and last names. */
const [firstNames, lastNames] = [500, 5_000]
const rounds = 20
const maxBytes = 4_000_000
const maxCompressedBytes = 1_000_000

/** Measures the directory of a large organization, in which people have many different names. */
export async function benchDirectory(): Promise<void> {
  await using organization = await createLargeOrganization(people)
  const { session, organization_id, owner } = organization
  await session.query(
    `update user_account set full_name = ${wordOf(firstNames, 5)} || ' ' || ${wordOf(lastNames, 8)} where organization_id = $1`,
    [organization_id],
  )
  await session.query('vacuum analyze user_account')
  await using node = await startProbedNode(organization)
  using connection = new Connection(node.url, owner)
  const times: number[] = []
  let text = ''
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    text = await connection.get('/users/directory', {})
    times.push(performance.now() - start)
  }
  const size = Buffer.byteLength(text)
  const { length: compressed } = await promisify(gzip)(text)
  const parsing = performance.now()
  JSON.parse(text)
  const parsed = performance.now() - parsing
  const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(2)} MB`
  printTable([
    {
      label: `the directory of ${people.toLocaleString('en')} people`,
      measured: megabytes(size),
      wanted: bound('at most 4 MB', size <= maxBytes),
    },
    {
      label: '    compressed by gzip',
      measured: megabytes(compressed),
      wanted: bound('at most 1 MB', compressed <= maxCompressedBytes),
    },
    {
      label: '    request',
      measured: `median ${median(times).toFixed(0)} ms, p95 ${quantile(times, 0.95).toFixed(0)} ms; parsed in ${parsed.toFixed(0)} ms`,
    },
  ])
}

/**
 * Returns SQL that picks one of `count` words of letters. The first words are more frequent, like
 * real names.
 */
const wordOf = (count: number, length: number): string =>
  `initcap(translate(substr(md5(${length} || 'x' || floor(${count} * random() ^ 2)), 1, ${length}), '0123456789abcdef', 'aaeeiionrsstldmk'))`
