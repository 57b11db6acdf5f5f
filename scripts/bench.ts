import { benchHttp } from './bench/http.ts'

// npm run bench -- NAME…   runs the named benchmarks, all without a name. Each compares us with the bare engine in one run.
const benches: Record<string, () => Promise<unknown>> = {
  http: benchHttp,
  markdown: () => import('../packages/markdown/scripts/bench.ts'),
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in benches))
if (unknown.length > 0) {
  process.stderr.write(
    `No benchmark is called ${unknown.join(', ')}. There are: ${Object.keys(benches).join(', ')}\n`,
  )
  process.exit(1)
}
for (const [name, run] of Object.entries(benches)) {
  if (wanted.length === 0 || wanted.includes(name)) await run()
}
