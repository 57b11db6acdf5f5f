import { client } from '../data/client.ts'
import { unsent } from '../data/outbox.ts'
import { signingOut } from '../data/signing-out.ts'
import { postToTabs } from '../device/channel.ts'
import { deleteStoredData } from '../device/device.ts'
import { listWorkerNotifications } from '../device/worker-notifications.ts'
import { readRefusal } from '../text/refusal.ts'

/** The progress dialog appears only if the server takes longer than this to respond. */
const dialogDelayMs = 600
/** The request is aborted after this time. */
const maxWaitMs = 15_000

/** Ends the session of this browser. Asks for confirmation first if unsent messages would be lost. */
export async function signOut(): Promise<void> {
  const unsentCount = unsent.peek().length
  if (unsentCount > 0) signingOut.value = { status: 'confirming', unsentCount }
  else await endSession()
}

/**
 * Ends the session, deletes the data stored on the device, and opens the sign-in page. Nothing is
 * deleted before the server has responded, because the user stays signed in until then.
 */
export async function endSession(): Promise<void> {
  const cancelled = new AbortController()
  const timedOut = AbortSignal.timeout(maxWaitMs)
  const timer = setTimeout(() => {
    signingOut.value = { status: 'waiting', cancel: () => cancelled.abort() }
  }, dialogDelayMs)
  signingOut.value = undefined
  // Listed before the request, because its response removes the service worker.
  const notifications = await listWorkerNotifications()
  try {
    await client.sessions.endCurrent({}, { signal: AbortSignal.any([cancelled.signal, timedOut]) })
  } catch (error) {
    const { status, reason } = readRefusal(error)
    clearTimeout(timer)
    if (status !== 401) {
      signingOut.value = cancelled.signal.aborted ? undefined : { status: 'failed', reason }
      return
    }
    // Status 401: the session had ended already.
  }
  clearTimeout(timer)
  for (const notification of notifications) notification.close()
  await deleteStoredData()
  postToTabs('signed out', null)
  location.assign('/login?signed_out')
}

/** Closes the sign-out dialog and aborts the request, so that the user stays signed in. */
export function cancelSignOut(): void {
  const current = signingOut.peek()
  if (current?.status === 'waiting') current.cancel()
  signingOut.value = undefined
}
