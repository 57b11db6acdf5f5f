import { type Person, signIn, type World } from '@oxbow/testkit'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { collectProblems } from '../open-client.ts'

/** A page of the client in which figures are measured. */
export interface MeasuredPage extends AsyncDisposable {
  page: Page
  cdp: CDPSession
  /** Methods and paths of the page's requests, in order. */
  requests: string[]
  problems: string[]
}

interface PageOptions {
  browser: Browser
  hash: string
  /** Simulates a slow device: a processor 4 times slower, 1.6 Mbit/s, 150 ms of latency. */
  isSlow?: boolean
  width?: number
  height?: number
}

export interface OpenOptions extends PageOptions {
  world: World
  person: Person
  /** The node whose client is opened; by default node b of the world. */
  url?: string
}

export interface SignedInOptions extends PageOptions {
  url: string
  /** The cookie of a session. */
  cookie: string
}

/**
 * Runs in every page before its scripts. `figures.after` sets `figures.outcome` to the milliseconds from
 * an event until its effect is painted. `figures.shifts` lists the layout shifts that no input caused, and
 * `figures.interactions` the milliseconds from each click or key press until the next paint.
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

/** Factor by which the processor of a slow device is slower. */
export const slowRate = 4
const slowNetwork = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 200_000 }

/** Opens the client of a person in a new browser profile with an empty cache, and waits for the first message. */
export async function openMeasured(options: OpenOptions): Promise<MeasuredPage> {
  const { world, person, url = world.nodes.b.url } = options
  const { cookie } = await signIn(world, person)
  return openSignedIn({ ...options, url, cookie })
}

/** Opens the client with the cookie of a session in the same way. */
export async function openSignedIn(options: SignedInOptions): Promise<MeasuredPage> {
  const { browser, url, cookie, hash, isSlow, width = 1280, height = 800 } = options
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

/** Returns the milliseconds from the navigation until the first message was painted. */
export const readStart = ({ page }: MeasuredPage): Promise<number> => page.evaluate('figures.firstRow')

/**
 * Runs `act`, which must cause an event of this type. Returns the milliseconds from the event until the
 * condition `holds` is met and painted.
 */
export async function measureAction(
  { page }: MeasuredPage,
  type: 'click' | 'keydown',
  holds: string,
  act: () => Promise<unknown>,
): Promise<number> {
  await page.evaluate(`figures.after('${type}', () => ${holds})`)
  await act()
  return readOutcome(page)
}

/** Returns the outcome of the action. Rejects after a minute, with the focused element in the error. */
export const readOutcome = (page: Page): Promise<number> =>
  page.evaluate(`Promise.race([
    figures.outcome,
    new Promise((_done, fail) => setTimeout(() => {
      fail(new Error('nothing was painted; the focus is on ' + document.activeElement?.outerHTML.slice(0, 200)))
    }, 60_000)),
  ])`)

/** Returns the bytes of the JavaScript heap after a garbage collection. */
export async function measureHeap({ cdp }: MeasuredPage): Promise<number> {
  for (let round = 0; round < 3; round++) await cdp.send('HeapProfiler.collectGarbage')
  return (await cdp.send('Runtime.getHeapUsage')).usedSize
}

/**
 * Returns the processor time of the page's main thread so far, in milliseconds. Unlike elapsed
 * time, it does not depend on the load of the machine.
 */
export async function readProcessorTime({ cdp }: MeasuredPage): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics')
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
}

export interface Shift {
  value: number
  /** Classes of the elements that moved. */
  what: string[]
}

/** Returns the layout shifts since the page was opened, except those caused by input. */
export const readShifts = ({ page }: MeasuredPage): Promise<Shift[]> => page.evaluate('figures.shifts')

/**
 * Returns the milliseconds from each click or key press until the next paint. The browser omits
 * values below 16.
 */
export const readInteractions = ({ page }: MeasuredPage): Promise<number[]> =>
  page.evaluate('[...figures.interactions.values()]')

/** Slows the processor of the page down. */
export const slowDown = ({ cdp }: MeasuredPage, rate: number): Promise<unknown> =>
  cdp.send('Emulation.setCPUThrottlingRate', { rate })

/** Waits until the page has painted twice. */
export const settle = ({ page }: MeasuredPage): Promise<void> =>
  page.evaluate('figures.painted().then(figures.painted)')
