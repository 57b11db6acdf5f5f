import './MessageDialogs.css'
import { openDialog } from '../data/dialogs.ts'
import { DeleteDialog } from './DeleteDialog.tsx'
import { HistoryDialog } from './HistoryDialog.tsx'
import { MoveDialog } from './MoveDialog.tsx'
import { RemindDialog } from './RemindDialog.tsx'
import { SourceDialog } from './SourceDialog.tsx'

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
    case 'remind':
      return <RemindDialog message={open.message} />
    default:
      return null
  }
}
