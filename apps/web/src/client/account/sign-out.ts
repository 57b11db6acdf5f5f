import { readRefusal } from '../../text/refusal.ts'
import { client } from '../client.ts'
import { postToTabs } from '../device/channel.ts'
import { deleteStoredData, deviceAccount } from '../device/device.ts'
import { readTextsOfOthers, restoreTexts } from '../device/kept-texts.ts'
import { listWorkerNotifications } from '../device/worker-notifications.ts'
import { closeDialogOf, openDialog, type SigningOut, showDialog } from '../open-dialogs.ts'
import { unsent } from '../writing/outbox.ts'

/** The progress dialog appears only if the server takes longer than this to respond. */
const dialogDelayMs = 600
/** The request is aborted after this time. */
const maxWaitMs = 15_000

/** Ends the session of this browser. Asks for confirmation first if unsent messages would be lost. */
export async function signOut(): Promise<void> {
  const unsentCount = unsent.peek().length
  if (unsentCount > 0) showProgress({ status: 'confirming', unsentCount })
  else await endSession()
}

/**
 * Ends the session, deletes the data that the device stores for the account, and opens the sign-in page.
 * Nothing is deleted before the server has responded, because the user stays signed in until then. Unsent
 * texts of other accounts stay.
 */
export async function endSession(): Promise<void> {
  const cancelled = new AbortController()
  const timedOut = AbortSignal.timeout(maxWaitMs)
  const timer = setTimeout(() => {
    showProgress({ status: 'waiting', cancel: () => cancelled.abort() })
  }, dialogDelayMs)
  closeDialogOf('sign out')
  // Read before the request, because its response removes the service worker and all stored data.
  const notifications = await listWorkerNotifications()
  const textsOfOthers = await readTextsOfOthers(deviceAccount?.user_id).catch(() => undefined)
  try {
    await client.sessions.endCurrent({}, { signal: AbortSignal.any([cancelled.signal, timedOut]) })
  } catch (error) {
    const { status, reason } = readRefusal(error)
    clearTimeout(timer)
    if (status !== 401) {
      if (cancelled.signal.aborted) closeDialogOf('sign out')
      else showProgress({ status: 'failed', reason })
      return
    }
    // Status 401: the session had ended already.
  }
  clearTimeout(timer)
  for (const notification of notifications) notification.close()
  await deleteStoredData()
  if (textsOfOthers) await restoreTexts(textsOfOthers).catch(() => undefined)
  postToTabs('signed out', null)
  location.assign('/login?signed_out')
}

/** Closes the sign-out dialog and aborts the request, so that the user stays signed in. */
export function cancelSignOut(): void {
  const open = openDialog.peek()
  if (open?.kind === 'sign out' && open.progress.status === 'waiting') open.progress.cancel()
  closeDialogOf('sign out')
}

const showProgress = (progress: SigningOut): void => showDialog({ kind: 'sign out', progress })
