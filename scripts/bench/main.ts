import { parseArgs } from 'node:util'
import { benchBackup } from './backup/bench-backup.ts'
import { compareFiles } from './compare.ts'
import { benchDirectory } from './directory.ts'
import { benchBacklog } from './events/backlog.ts'
import { benchEvents } from './events/bench-events.ts'
import { benchHeartbeats } from './events/heartbeats.ts'
import { benchOldSnapshot } from './events/old-snapshot.ts'
import { print } from './figures.ts'
import { benchFiles } from './files/bench-files.ts'
import { benchGrowth } from './growth/bench-growth.ts'
import { benchHttp } from './http.ts'
import { benchMessages } from './messages/bench-messages.ts'
import { benchPeople } from './people.ts'
import { benchPresence } from './presence/bench-presence.ts'
import { benchProcesses } from './processes.ts'
import { writeResults } from './results.ts'
import { benchSearch } from './search/bench-search.ts'
import { benchSubscriptions } from './subscriptions/bench-subscriptions.ts'
import { benchWeb } from './web/bench-web.ts'
import { benchWebhooks } from './webhooks/bench-webhooks.ts'

// npm run bench -- NAME…   runs the named benchmarks, or `all` of them. Each compares Oxbow with the bare engine in one run.
//   --seconds N    duration of heartbeats, old-snapshot and presence
//   --people N     number of people online (presence)
//   --json FILE    write the results to a file, for `compare` and the plots of docs/performance.md
//   --parts abc    run only these parts of events, growth, messages, presence, search, subscriptions or web
//   --rows N       number of messages in the largest archive (backup, growth, messages, search, web)
//   --profile      print the functions that take most processor time (events, http, messages, subscriptions, web, webhooks)
// npm run bench -- compare A.json B.json   prints what got better and worse from A to B
const { positionals: wanted, values } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string' },
    json: { type: 'string' },
    people: { type: 'string' },
    parts: { type: 'string' },
    rows: { type: 'string' },
    profile: { type: 'boolean', default: false },
  },
})
const options = {
  profile: values.profile,
  ...(values.parts && { parts: values.parts }),
  ...(values.rows && { rows: Number(values.rows) }),
  ...(values.people && { people: Number(values.people) }),
  ...(values.seconds && { seconds: Number(values.seconds) }),
}

const benches: Record<string, () => Promise<unknown>> = {
  http: () => benchHttp(options),
  processes: () => benchProcesses(),
  web: () => benchWeb(options),
  events: () => benchEvents(options),
  heartbeats: () => benchHeartbeats(options),
  backlog: () => benchBacklog(),
  'old-snapshot': () => benchOldSnapshot(options),
  messages: () => benchMessages(options),
  presence: () => benchPresence(options),
  search: () => benchSearch(options),
  subscriptions: () => benchSubscriptions(options),
  webhooks: () => benchWebhooks(options),
  files: () => benchFiles(),
  backup: () => benchBackup(options),
  directory: () => benchDirectory(),
  growth: () => benchGrowth(options),
  people: () => benchPeople(),
  markdown: () => import('../../packages/markdown/scripts/bench.ts'),
}

if (wanted[0] === 'compare') compare(wanted.slice(1))
else await runBenches()

async function runBenches(): Promise<void> {
  const unknown = wanted.filter((name) => name !== 'all' && !(name in benches))
  if (unknown.length > 0)
    return fail(
      `Unknown benchmark: ${unknown.join(', ')}. Choose from: all, compare, ${Object.keys(benches).join(', ')}`,
    )
  const runsAll = wanted.length === 0 || wanted.includes('all')
  for (const [name, run] of Object.entries(benches)) {
    if (!runsAll && !wanted.includes(name)) continue
    // Written after each benchmark, because all of them take hours, and also if a part of one fails.
    try {
      await run()
    } finally {
      if (values.json) writeResults(values.json)
    }
  }
}

function compare([before, after]: string[]): void {
  if (before && after) for (const line of compareFiles(before, after)) print(line)
  else fail('compare needs two files, which `npm run bench -- … --json FILE` writes.')
}

function fail(text: string): void {
  process.stderr.write(`${text}\n`)
  process.exitCode = 1
}
