import { eventually } from '@oxbow/testkit'

/** A device that sends input, with its actions, as WebDriver defines them. */
export type InputSource =
  | { type: 'key'; id: string; actions: { type: 'keyDown' | 'keyUp'; value: string }[] }
  | { type: 'pointer'; id: string; actions: PointerAction[] }
  | {
      type: 'wheel'
      id: string
      actions: { type: 'scroll'; x: number; y: number; deltaX: number; deltaY: number }[]
    }

type PointerAction =
  | { type: 'pointerMove'; x: number; y: number }
  | { type: 'pointerDown' | 'pointerUp'; button: number }

/** A browser with one page that a test controls through the browser's own protocol. */
export interface DrivenBrowser extends AsyncDisposable {
  goTo(url: string): Promise<void>
  /** Evaluates an expression in the page, waits for it if it is a promise, and returns its value as JSON. */
  evaluate<Value>(expression: string): Promise<Value>
  /** Sends input as from the devices of a person. */
  perform(source: InputSource): Promise<void>
  /** Errors that the console of the page showed, with uncaught ones and breaches of the content policy. */
  problems: readonly string[]
}

/** Characters by which WebDriver names keys. */
export const keys = { enter: '\ue007', control: '\ue009' } as const

/** Waits until an expression is true in the page. */
export const waitUntil = (browser: DrivenBrowser, expression: string): Promise<boolean> =>
  eventually(() => browser.evaluate<boolean>(`Boolean(${expression})`))

/** Waits until an element is in the page, with this text if it is given. */
export const waitFor = (browser: DrivenBrowser, selector: string, text = ''): Promise<boolean> =>
  waitUntil(
    browser,
    `[...document.querySelectorAll(${JSON.stringify(selector)})].some((each) => each.textContent.includes(${JSON.stringify(text)}))`,
  )

/** Returns the middle of an element in the viewport. */
async function findMiddle(browser: DrivenBrowser, selector: string): Promise<{ x: number; y: number }> {
  await waitFor(browser, selector)
  return browser.evaluate(`(() => {
    const element = document.querySelector(${JSON.stringify(selector)})
    element.scrollIntoView({ block: 'nearest' })
    const { x, y, width, height } = element.getBoundingClientRect()
    return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) }
  })()`)
}

export async function click(browser: DrivenBrowser, selector: string): Promise<void> {
  const middle = await findMiddle(browser, selector)
  await browser.perform({
    type: 'pointer',
    id: 'mouse',
    actions: [
      { type: 'pointerMove', ...middle },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ],
  })
}

/** Types a text into the element that has the focus. */
export async function type(browser: DrivenBrowser, text: string): Promise<void> {
  const actions = [...text].flatMap((value) => [
    { type: 'keyDown' as const, value },
    { type: 'keyUp' as const, value },
  ])
  await browser.perform({ type: 'key', id: 'keyboard', actions })
}

/** Presses keys together, the first one first. */
export async function press(browser: DrivenBrowser, ...values: readonly string[]): Promise<void> {
  const actions = [
    ...values.map((value) => ({ type: 'keyDown' as const, value })),
    ...values.toReversed().map((value) => ({ type: 'keyUp' as const, value })),
  ]
  await browser.perform({ type: 'key', id: 'keyboard', actions })
}

/** Turns the wheel over an element. */
export async function turnWheel(browser: DrivenBrowser, selector: string, deltaY: number): Promise<void> {
  const middle = await findMiddle(browser, selector)
  await browser.perform({
    type: 'wheel',
    id: 'wheel',
    actions: [{ type: 'scroll', ...middle, deltaX: 0, deltaY }],
  })
}
