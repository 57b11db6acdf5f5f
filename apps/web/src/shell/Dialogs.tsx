import type { ComponentType } from 'preact'
import { type OpenDialog, openDialog } from '../client/open-dialogs.ts'
import { WriteDialog } from '../composer/WriteDialog.tsx'
import { lazyView } from '../frame/lazy-view.tsx'
import { MessageDialogs } from '../messages/MessageDialogs.tsx'
import { SignOutDialog } from './SignOutDialog.tsx'

const StreamDialogs = lazyView(() =>
  import('../streams/StreamDialogs.tsx').then(({ StreamDialogs: Dialogs }) => Dialogs),
)

/** The component of each dialog. That for a date belongs to the menu of a conversation, which shows it. */
const dialogs: Readonly<Record<Exclude<OpenDialog['kind'], 'date'>, ComponentType>> = {
  move: MessageDialogs,
  delete: MessageDialogs,
  history: MessageDialogs,
  source: MessageDialogs,
  remind: MessageDialogs,
  told: MessageDialogs,
  readers: MessageDialogs,
  leave: StreamDialogs,
  archive: StreamDialogs,
  'delete topic': StreamDialogs,
  folder: lazyView(() => import('../streams/FolderDialog.tsx').then(({ FolderDialog }) => FolderDialog)),
  'new message': WriteDialog,
  'sign out': SignOutDialog,
  jump: lazyView(() => import('../jump/Jump.tsx').then(({ Jump }) => Jump)),
  keys: lazyView(() => import('../keys/KeysDialog.tsx').then(({ KeysDialog }) => KeysDialog)),
  status: lazyView(() => import('../settings/StatusForm.tsx').then(({ StatusDialog }) => StatusDialog)),
}

/** The open dialog. */
export function Dialogs() {
  const kind = openDialog.value?.kind
  if (kind === undefined || kind === 'date') return null
  const Shown = dialogs[kind]
  return <Shown />
}
