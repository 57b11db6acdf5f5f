import { eventually } from '@oxbow/testkit'

/** An input device and its actions, as WebDriver defines them. */
type InputSource =
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
  /** Sends input like that of a real keyboard, mouse or wheel. */
  perform(source: InputSource): Promise<void>
  /** Console errors of the page, including uncaught errors and violations of the content security policy. */
  problems: readonly string[]
}

/** Characters that represent special keys in WebDriver. */
export const keys = { enter: '\ue007', control: '\ue009' } as const

/** Waits until an expression is true in the page. */
export const waitUntil = (browser: DrivenBrowser, expression: string): Promise<boolean> =>
  eventually(() => browser.evaluate<boolean>(`Boolean(${expression})`))

/** Waits until an element that matches the selector, and contains the text, is in the page. */
export const waitFor = (browser: DrivenBrowser, selector: string, text = ''): Promise<boolean> =>
  waitUntil(
    browser,
    `[...document.querySelectorAll(${JSON.stringify(selector)})].some((each) => each.textContent.includes(${JSON.stringify(text)}))`,
  )

/** Scrolls an element into view, and returns the position of its middle in the viewport. */
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

/** Presses several keys at once, in the given order, and releases them. */
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
