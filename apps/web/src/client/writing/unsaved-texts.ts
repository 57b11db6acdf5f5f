import { isKept } from '../device/device.ts'
import { hasChangedEdits } from '../messages/edits.ts'
import { isSaved, listDrafts } from './drafts.ts'
import { unsent } from './outbox.ts'
import { hasRunningUploads } from './uploads.ts'

/** Whether this page has texts or files that are stored neither on the server nor on the device. */
export const hasUnsavedTexts = (): boolean =>
  hasChangedEdits() ||
  hasRunningUploads() ||
  (!isKept.value && (unsent.value.length > 0 || !listDrafts.value.every(isSaved)))
