import { type Person, signIn, type World } from '@oxbow/testkit'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { collectProblems } from '../open-client.ts'

/** A page of the client with what is measured in it. */
export interface MeasuredPage extends AsyncDisposable {
  page: Page
  cdp: CDPSession
  /** Paths that the page requested, in order, with their method. */
  requests: string[]
  problems: string[]
}

export interface OpenOptions {
  browser: Browser
  world: World
  person: Person
  /** The node whose client is opened; by default node b of the world. */
  url?: string
  hash: string
  /** Processor 4 times slower, 1.6 Mbit/s, 150 ms. */
  isSlow?: boolean
  width?: number
  height?: number
}

/**
 * Runs in every page before its scripts. `figures.after` returns the milliseconds from an event until what it caused is
 * painted; `figures.shifts` are the layout shifts that no input explains, `figures.interactions` the milliseconds from
 * each click or key until the next paint.
 */
const probe = `window.figures = {
  shifts: [],
  interactions: new Map(),
  painted: () => new Promise((done) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => done(performance.now())
    port2.postMessage(0)
  })),
  until: (holds) => new Promise((done) => {
    if (holds()) return done()
    const observer = new MutationObserver(() => {
      if (!holds()) return
      observer.disconnect()
      done()
    })
    observer.observe(document, { childList: true, subtree: true, attributes: true })
  }),
  after: (type, holds) => {
    const { promise, resolve } = Promise.withResolvers()
    addEventListener(type, (event) => resolve(event.timeStamp), { capture: true, once: true })
    figures.outcome = promise.then(async (start) => {
      await figures.until(holds)
      return (await figures.painted()) - start
    })
  },
}
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries())
    if (!hadRecentInput) figures.shifts.push({ value, what: sources.map(({ node }) => (node?.className ?? node?.nodeName) + '') })
}).observe({ type: 'layout-shift', buffered: true })
new PerformanceObserver((list) => {
  for (const { interactionId, duration } of list.getEntries())
    if (interactionId) figures.interactions.set(interactionId, Math.max(duration, figures.interactions.get(interactionId) ?? 0))
}).observe({ type: 'event', durationThreshold: 16, buffered: true })
figures.firstRow = figures.until(() => document.querySelector('.Row[data-id]')).then(figures.painted)`

/** How many times slower the processor is on a slow device. */
export const slowRate = 4
const slowNetwork = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 200_000 }

/** Opens the client in a browser profile of its own, with an empty cache, and waits for the first message. */
export async function openMeasured(options: OpenOptions): Promise<MeasuredPage> {
  const {
    browser,
    world,
    person,
    url = world.nodes.b.url,
    hash,
    isSlow,
    width = 1280,
    height = 800,
  } = options
  const { cookie } = await signIn(world, person)
  const [name = '', value = ''] = cookie.split('=')
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width, height } })
  context.setDefaultTimeout(120_000)
  await context.addCookies([{ name, value, url }])
  await context.addInitScript(probe)
  const page = await context.newPage()
  const problems: string[] = []
  const requests: string[] = []
  collectProblems(page, problems)
  page.on('request', (request) => {
    const { pathname, protocol } = new URL(request.url())
    if (protocol.startsWith('http')) requests.push(`${request.method()} ${pathname}`)
  })
  const cdp = await context.newCDPSession(page)
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  if (isSlow) {
    await cdp.send('Network.enable')
    await cdp.send('Network.emulateNetworkConditions', slowNetwork)
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowRate })
  }
  await page.goto(`${url}/${hash}`)
  await page.waitForSelector('.Row[data-id]')
  return {
    page,
    cdp,
    requests,
    problems,
    [Symbol.asyncDispose]: () => context.close(),
  }
}

/** Milliseconds from the navigation until the first message was painted. */
export const readStart = ({ page }: MeasuredPage): Promise<number> => page.evaluate('figures.firstRow')

/** Milliseconds from the next event of this type, which `act` causes, until the condition holds and is painted. */
export async function measureAction(
  { page }: MeasuredPage,
  type: 'click' | 'keydown',
  holds: string,
  act: () => Promise<unknown>,
): Promise<number> {
  await page.evaluate(`figures.after('${type}', () => ${holds})`)
  await act()
  return page.evaluate('figures.outcome')
}

/** Bytes of the JavaScript heap after a garbage collection. */
export async function measureHeap({ cdp }: MeasuredPage): Promise<number> {
  for (let round = 0; round < 3; round++) await cdp.send('HeapProfiler.collectGarbage')
  return (await cdp.send('Runtime.getHeapUsage')).usedSize
}

/** Processor time of the page's main thread so far, in milliseconds. Unlike time, it does not depend on the load of the machine. */
export async function readProcessorTime({ cdp }: MeasuredPage): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics')
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
}

export interface Shift {
  value: number
  /** Classes of the elements that moved. */
  what: string[]
}

/** Layout shifts since the page was opened, apart from those that input explains. */
export const readShifts = ({ page }: MeasuredPage): Promise<Shift[]> => page.evaluate('figures.shifts')

/** Milliseconds from clicks and keys until the next paint; the browser leaves out those below 16. */
export const readInteractions = ({ page }: MeasuredPage): Promise<number[]> =>
  page.evaluate('[...figures.interactions.values()]')

/** Slows the processor of the page down. */
export const slowDown = ({ cdp }: MeasuredPage, rate: number): Promise<unknown> =>
  cdp.send('Emulation.setCPUThrottlingRate', { rate })

/** Waits until the page has painted twice. */
export const settle = ({ page }: MeasuredPage): Promise<void> =>
  page.evaluate('figures.painted().then(figures.painted)')
