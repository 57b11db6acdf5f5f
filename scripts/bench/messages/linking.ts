import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventually } from '@oxbow/testkit'
import { startProbedNode } from '../events/bench-organization.ts'
import { type Figure, median, print, quantile } from '../figures.ts'
import { bound } from './bound.ts'
import { Connection } from './connection.ts'
import { loadSends } from './sending/load-sends.ts'
import {
  connections,
  createSendScenario,
  type Measurement,
  measureOnce,
  type SendScenario,
  showMeasurement,
} from './sending.ts'

const turns = 7
const seconds = 4
const latencyRounds = 400
const warmUpRounds = 40
/**
 * Address of the linked site. It differs from the nodes' address, because nodes do not fetch their
 * own pages.
 */
const siteAddress = '127.0.0.2'

/**
 * Compares sends with a link while previews are on to sends of the same text while they are off.
 * The linked page never ends, so that every fetch takes the maximum time.
 */
export async function benchLinking(): Promise<Figure[]> {
  await using site = await startEndlessSite()
  await using off = await startScenario(site.url, false)
  await using on = await startScenario(site.url, true)
  const found: { on: Measurement; off: Measurement }[] = []
  for (let turn = 0; turn <= turns; turn++) {
    const measured = { off: await off.measure(), on: await on.measure() }
    await on.finishRequests()
    if (turn === 0) continue
    found.push(measured)
    print(
      `turn ${turn}: with previews ${showMeasurement(measured.on)}; without ${showMeasurement(measured.off)}`,
    )
  }
  const times = { on: [] as number[], off: [] as number[] }
  for (let round = 0; round < latencyRounds + warmUpRounds; round++) {
    const took = { off: await off.sendOnce(), on: await on.sendOnce() }
    if (round < warmUpRounds) continue
    times.on.push(took.on)
    times.off.push(took.off)
  }
  const cost = ratioOf(found, (each) => each.cost + (each.databaseCost ?? 0))
  const latency = median(times.on) / median(times.off)
  const show = (list: number[]) =>
    `${median(list).toFixed(2)} ms (99 %: ${quantile(list, 0.99).toFixed(2)} ms)`
  return [
    {
      label: '(f) processor time of a send with a link, previews on and off, with PostgreSQL',
      measured: `${cost.toFixed(2)} (${found.map(({ on, off }) => (on.cost / off.cost).toFixed(2)).join(', ')} without)`,
      wanted: bound('at most 1.10', cost <= 1.1),
    },
    {
      label: '    duration of a send, previews on and off',
      measured: `${show(times.on)} and ${show(times.off)}, ratio ${latency.toFixed(2)}`,
      wanted: bound('at most 1.10', latency <= 1.1),
    },
  ]
}

function ratioOf(
  found: readonly { on: Measurement; off: Measurement }[],
  costOf: (each: Measurement) => number,
): number {
  return median(found.map(({ on, off }) => costOf(on) / costOf(off)))
}

async function startScenario(url: string, isOn: boolean) {
  await using starting = new AsyncDisposableStack()
  const content = `The roses by the south wall want pruning: ${url}`
  const scenario: SendScenario = starting.use(await createSendScenario(content))
  await scenario.organization.session.query('update organization set inline_url_embed_preview = $1', [isOn])
  const env = { OXBOW_LINK_PREVIEWS: 'true', OXBOW_OUTWARD_ALLOWED_NETWORKS: siteAddress }
  const node = starting.use(await startProbedNode(scenario.organization, env))
  const connection = starting.use(new Connection(node.url, scenario.sender))
  const { form, sender } = scenario
  const owned = starting.move()
  return {
    measure: () =>
      measureOnce(scenario, node.probe, () => loadSends(node.url, sender, { form, connections, seconds })),
    /**
     * Waits until the node has handled all requests, because they would take processor time from
     * the next measurement.
     */
    finishRequests: () =>
      eventually(async () => {
        const { rows } = await scenario.organization.session.query('select from link_preview_request limit 1')
        return rows.length === 0
      }, 120_000),
    async sendOnce() {
      const start = performance.now()
      await connection.post('/messages', form)
      return performance.now() - start
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function startEndlessSite() {
  const server = createServer((request, response) => {
    if (request.url === '/robots.txt') return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'text/html' }).write('<title>Endless</title>')
    const timer = setInterval(() => response.write(' '), 100)
    response.on('close', () => clearInterval(timer))
  })
  await new Promise<void>((resolve) => server.listen(0, siteAddress, resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${siteAddress}:${port}/page`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
