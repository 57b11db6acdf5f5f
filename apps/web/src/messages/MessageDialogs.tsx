import './MessageDialogs.css'
import { openDialog } from '../client/open-dialogs.ts'
import { lazyView } from '../frame/lazy-view.tsx'
import { DeleteDialog } from './DeleteDialog.tsx'
import { MoveDialog } from './MoveDialog.tsx'

const HistoryDialog = lazyView(() => import('./HistoryDialog.tsx').then((module) => module.HistoryDialog))
const SourceDialog = lazyView(() => import('./SourceDialog.tsx').then((module) => module.SourceDialog))
const ReadersDialog = lazyView(() => import('./ReadersDialog.tsx').then((module) => module.ReadersDialog))
const RemindDialog = lazyView(() => import('./RemindDialog.tsx').then((module) => module.RemindDialog))
const ToldDialog = lazyView(() => import('./ToldDialog.tsx').then((module) => module.ToldDialog))

/** The open dialog about a message. */
export function MessageDialogs() {
  const open = openDialog.value
  switch (open?.kind) {
    case 'move':
      return <MoveDialog message={open.message} scope={open.scope} />
    case 'delete':
      return <DeleteDialog message={open.message} />
    case 'history':
      return <HistoryDialog message={open.message} />
    case 'source':
      return <SourceDialog message={open.message} />
    case 'readers':
      return <ReadersDialog message={open.message} />
    case 'remind':
      return <RemindDialog message={open.message} />
    case 'told':
      return <ToldDialog message={open.message} />
    default:
      return null
  }
}
