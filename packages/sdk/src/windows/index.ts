// The entry point `@oxbow/sdk/windows`. It is separate, because not every client shows messages.

export { flagBits, type WindowMessage } from './message.ts'
export type { Highlight, Term } from './narrow.ts'
export { type PendingChanges, showMessage, showState } from './pending.ts'
export type { Segment } from './segments.ts'
export type { StoredContents, StoredWindow } from './stored-windows.ts'
export {
  type Anchor,
  createWindows,
  type MessageWindow,
  type OpenWindow,
  type PageRequest,
  type WindowLimits,
  type Windows,
  type WindowsChange,
  type WindowsOptions,
} from './windows.ts'
