import { type MeasuredPage, measureAction, readOutcome } from './measured-page.ts'

const field = '.Composer .WritingField-text'

/** Types a text key by key and returns the milliseconds from each key until its letter was painted. */
export async function measureKeys(measured: MeasuredPage, text: string): Promise<number[]> {
  const { page } = measured
  await page.focus(field)
  const times: number[] = []
  for (const letter of text) {
    const length = await page.evaluate<number>(`document.querySelector('${field}').value.length`)
    const isTyped = `document.querySelector('${field}').value.length > ${length}`
    times.push(await measureInput(measured, isTyped, letter))
  }
  await page.fill(field, '')
  return times
}

/** Waits for the input event, because a change of a textarea is not a mutation of the document. */
async function measureInput({ page }: MeasuredPage, isTyped: string, letter: string): Promise<number> {
  // `void`, because Playwright would wait for a promise that the script returns.
  await page.evaluate(`void (figures.outcome = new Promise((done) => {
    let start
    addEventListener('keydown', (event) => { start = event.timeStamp }, { capture: true, once: true })
    const typed = async () => {
      if (!(${isTyped})) return
      removeEventListener('input', typed, true)
      done((await figures.painted()) - start)
    }
    addEventListener('input', typed, true)
  }))`)
  await page.keyboard.press(letter === ' ' ? 'Space' : letter)
  return readOutcome(page)
}

/** Sends messages and returns the milliseconds from each Enter until its row was painted. */
export async function measureSends(measured: MeasuredPage, count: number): Promise<number[]> {
  const { page } = measured
  const times: number[] = []
  for (let turn = 0; turn < count; turn++) {
    const text = `Sent ${turn} of ${count} at ${performance.now()}`
    await page.focus(field)
    await page.keyboard.insertText(`**Sent** ${text}`)
    const isShown = `[...document.querySelectorAll('.Row')].slice(-8).some((row) => row.textContent.includes('${text}'))`
    times.push(await measureAction(measured, 'keydown', isShown, () => page.keyboard.press('Control+Enter')))
  }
  return times
}
