import type { StreamId } from '@oxbow/contract'
import type { WindowMessage } from '@oxbow/sdk/windows'
import { signal } from '@preact/signals'

/** A dialog that covers the app. At most one is open. */
export type OpenDialog =
  | MessageDialog
  | StreamDialog
  | FolderDialog
  /** `to` is the kind of recipients that the dialog lists first. */
  | { readonly kind: 'new message'; readonly to: 'stream' | 'private' }
  | { readonly kind: 'sign out'; readonly progress: SigningOut }
  /** `date` asks for a day to jump to; the text of the jump dialog is `jumpText`. */
  | { readonly kind: 'jump' | 'keys' | 'status' | 'date' }

interface MessageDialog {
  readonly kind: 'move' | 'delete' | 'history' | 'source' | 'remind' | 'told' | 'readers'
  readonly message: WindowMessage
  /** The messages that the move dialog selects at first. */
  readonly scope?: 'change_one' | 'change_later' | 'change_all'
}

/** A question about a stream, or about one of its topics. */
type StreamDialog =
  | { readonly kind: 'leave' | 'archive'; readonly stream_id: StreamId }
  | { readonly kind: 'delete topic'; readonly stream_id: StreamId; readonly topic: string }

/** A sign-out in progress: it waits for the user or the server, or has failed. */
export type SigningOut =
  /** Waits for the user, because unsent messages would be lost. */
  | { readonly status: 'confirming'; readonly unsentCount: number }
  /** Waits for the server, which has not responded for a moment. */
  | { readonly status: 'waiting'; cancel(): void }
  | { readonly status: 'failed'; readonly reason: string }

/**
 * Own folders of streams: chooses the folder of a stream; without one renames the folder with this name, or creates
 * one.
 */
interface FolderDialog {
  readonly kind: 'folder'
  readonly stream_id?: StreamId
  readonly name?: string
}

export const openDialog = signal<OpenDialog | undefined>(undefined)

export function showDialog(dialog: OpenDialog): void {
  openDialog.value = dialog
}

export function closeDialog(): void {
  openDialog.value = undefined
}

/** Closes a dialog whose request has ended, unless another one was opened meanwhile. */
export function closeDialogOf(kind: OpenDialog['kind']): void {
  if (isOpen(kind)) closeDialog()
}

/** Whether a dialog is open. Does not read a signal. */
export const isOpen = (kind: OpenDialog['kind']): boolean => openDialog.peek()?.kind === kind

/** Text of the jump dialog. */
export const jumpText = signal('')

export function openJump(): void {
  jumpText.value = ''
  showDialog({ kind: 'jump' })
}
