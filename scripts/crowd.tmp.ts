import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { startContestants } from './bench/events/contestants.ts'
await using c = await startContestants(2000)
const pids = execFileSync('pgrep', ['-P', String(process.pid), '-f', 'crowd-process']).toString().trim().split('\n')
const ticks = (pid: string) => { const f = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []; return (Number(f[11]) + Number(f[12])) * 10 }
for (const [i, each] of [c.ours, c.theirs].entries()) {
  await each.park(2000); for (let r = 0; r < 5; r++) await each.round()
  const [t, s] = [ticks(pids[i] as string), await each.probe.cpu()]
  for (let r = 0; r < 30; r++) await each.round()
  console.log(each.name, 'crowd', ((ticks(pids[i] as string) - t) / 60).toFixed(1), 'server', (((await each.probe.cpu()) - s) / 60).toFixed(1), 'ms of processor per 1,000')
}
