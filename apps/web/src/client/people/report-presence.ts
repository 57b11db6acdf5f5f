import { effect } from '@preact/signals'
import { afterPaint } from '../after-paint.ts'
import { client } from '../client.ts'
import { connection } from '../connection.ts'
import { presenceDisabled, presenceEnabled } from '../store.ts'

const reportMs = 60_000
/** Minimum time between reports that user input triggers. */
const minGapMs = 10_000
/** A user without input for this long is reported as idle. */
const idleMs = 300_000

const inputs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const

let lastInput = Date.now()
let lastReport = 0
let reported: 'active' | 'idle' | undefined
let hasNewInput = true

/**
 * Reports once a minute that the user is active, while the page is visible. Reports nothing if the
 * user hides their presence or the organization does not show it.
 */
export function startReportingPresence(): void {
  for (const name of inputs) addEventListener(name, noteInput, { passive: true, capture: true })
  setInterval(report, reportMs)
  document.addEventListener('visibilitychange', () => {
    if (Date.now() - lastReport >= minGapMs) report()
  })
  effect(() => {
    if (connection.value.status === 'live' && presenceEnabled.value && !presenceDisabled.value)
      afterPaint(report)
  })
}

function noteInput(): void {
  lastInput = Date.now()
  hasNewInput = true
  if (reported === 'idle' && lastInput - lastReport >= minGapMs) report()
}

function report(): void {
  const isWanted = presenceEnabled.peek() && !presenceDisabled.peek() && connection.peek().status === 'live'
  if (!isWanted || document.visibilityState !== 'visible') return
  lastReport = Date.now()
  const status = lastReport - lastInput < idleMs ? 'active' : 'idle'
  reported = status
  client.presence.report({ status, ping_only: true, new_user_input: hasNewInput, slim_presence: true }).catch(
    // A failed report is not retried, because the next one follows within a minute.
    () => {},
  )
  hasNewInput = false
}
