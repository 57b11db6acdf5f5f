import { parseArgs } from 'node:util'
import { benchDirectory } from './bench/directory.ts'
import { benchBacklog } from './bench/events/backlog.ts'
import { benchEvents } from './bench/events/bench-events.ts'
import { benchHeartbeats } from './bench/events/heartbeats.ts'
import { benchOldSnapshot } from './bench/events/old-snapshot.ts'
import { benchFiles } from './bench/files/bench-files.ts'
import { benchHttp } from './bench/http.ts'
import { benchMessages } from './bench/messages/bench-messages.ts'
import { benchPresence } from './bench/presence/bench-presence.ts'
import { benchSearch } from './bench/search/bench-search.ts'
import { benchSubscriptions } from './bench/subscriptions/bench-subscriptions.ts'
import { benchWeb } from './bench/web/bench-web.ts'
import { benchWebhooks } from './bench/webhooks/bench-webhooks.ts'

// npm run bench -- NAME…   runs the named benchmarks, or all of them. Each compares Oxbow with the bare engine in one run.
//   --seconds N    duration of heartbeats, old-snapshot and presence
//   --people N     number of people online (presence)
//   --parts abc    run only these parts of events, messages, presence, search, subscriptions or web
//   --rows N       number of messages in the largest archive (messages, search)
//   --profile      print the functions that take most processor time (events, http, messages, subscriptions, web, webhooks)
const { positionals: wanted, values } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string' },
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
  directory: () => benchDirectory(),
  markdown: () => import('../packages/markdown/scripts/bench.ts'),
}

const unknown = wanted.filter((name) => !(name in benches))
if (unknown.length > 0) {
  process.stderr.write(
    `Unknown benchmark: ${unknown.join(', ')}. Choose from: ${Object.keys(benches).join(', ')}\n`,
  )
  process.exit(1)
}
for (const [name, run] of Object.entries(benches)) {
  if (wanted.length === 0 || wanted.includes(name)) await run()
}
