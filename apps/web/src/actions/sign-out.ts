import { client } from '../data/client.ts'
import { unsent } from '../data/outbox.ts'
import { signingOut } from '../data/signing-out.ts'
import { postToTabs } from '../device/channel.ts'
import { forgetDevice } from '../device/device.ts'
import { readRefusal } from '../text/refusal.ts'

/** The dialog appears only if the server takes longer than this to answer. */
const quietMs = 600
/** The request is given up after this time. */
const maxWaitMs = 15_000

/** Ends the session of this browser, after a question if messages that are not sent yet would be lost. */
export async function signOut(): Promise<void> {
  const unsentCount = unsent.peek().length
  if (unsentCount > 0) signingOut.value = { status: 'asks', unsentCount }
  else await endSession()
}

/**
 * Ends the session, deletes the data stored on the device, and opens the sign-in page. Nothing is
 * deleted before the server has answered, because the user is signed in until then.
 */
export async function endSession(): Promise<void> {
  const cancelled = new AbortController()
  const late = AbortSignal.timeout(maxWaitMs)
  const timer = setTimeout(() => {
    signingOut.value = { status: 'waits', cancel: () => cancelled.abort() }
  }, quietMs)
  signingOut.value = undefined
  try {
    await client.sessions.endCurrent({}, { signal: AbortSignal.any([cancelled.signal, late]) })
  } catch (error) {
    const { status, reason } = readRefusal(error)
    clearTimeout(timer)
    if (status !== 401) {
      signingOut.value = cancelled.signal.aborted ? undefined : { status: 'failed', reason }
      return
    }
    // The session had ended already.
  }
  clearTimeout(timer)
  await forgetDevice()
  postToTabs('signed out', null)
  location.assign('/login?signed_out')
}

/** Stays signed in. */
export function cancelSignOut(): void {
  const open = signingOut.peek()
  if (open?.status === 'waits') open.cancel()
  signingOut.value = undefined
}
