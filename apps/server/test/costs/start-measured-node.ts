import { once } from 'node:events'
import type { Config } from '@oxbow/server'
import { killChild, startChild, testSecret, type World } from '@oxbow/testkit'
import type { Order, Usage } from './measured-node.ts'

/** Milliseconds that `calibrate` returns on the machine for which the limits of tests are written. */
export const referenceUnitMs = 30
/** Measurements of the same work, of which the fastest counts. */
const calibrations = 5

export interface MeasuredNode extends AsyncDisposable {
  url: string
  /** Measures the node while `work` runs. Other nodes of the world should be idle. */
  measure(work: () => Promise<unknown>): Promise<Usage>
  /**
   * Returns how many milliseconds of processor time the node takes now for a fixed amount of work, so that the limits
   * of tests can be raised on slower machines.
   */
  calibrate(): Promise<number>
  /** Sets whether all actions refuse at once, so that a request costs only its reading and decoding. */
  refuseAll(refuses: boolean): Promise<void>
}

/** Starts one more node of the world, in a process of its own, whose processor time can be measured. */
export async function startMeasuredNode(
  { database, files_dir }: World,
  overrides: Partial<Config> = {},
): Promise<MeasuredNode> {
  const config = {
    database_url: database.url,
    files_dir,
    secret: testSecret,
    port: 0,
    rate_limit_per_minute: 0,
    connections_per_account: 0,
    metrics_listen: 'off',
    log_level: 'error',
    link_previews: false,
    ...overrides,
  }
  const program = new URL('./measured-node.ts', import.meta.url).pathname
  const child = startChild(process.execPath, [program, JSON.stringify(config)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit').then(() => [])
  const receive = async <Answer>(): Promise<Answer> => {
    const [answer] = await Promise.race([once(child, 'message'), exited])
    if (answer === undefined) throw new Error('The measured node ended.')
    return answer as Answer
  }
  const ask = async (order: Order): Promise<Usage | undefined> => {
    child.send(order)
    return (await receive<{ usage?: Usage }>()).usage
  }
  const { url } = await receive<{ url: string }>()
  return {
    url,
    async measure(work) {
      await ask('begin')
      await work()
      return (await ask('end')) as Usage
    },
    async calibrate() {
      const usages: Usage[] = []
      for (let attempt = 0; attempt < calibrations; attempt++) usages.push((await ask('calibrate')) as Usage)
      return Math.min(...usages.map(({ processorMs }) => processorMs))
    },
    async refuseAll(refuses) {
      await ask({ refuses })
    },
    [Symbol.asyncDispose]: () => killChild(child),
  }
}
