import type { State } from '@oxbow/sdk/browser'
import type { KeptContents, KeptWindow } from '@oxbow/sdk/windows'
import type { DirectoryEntry } from '../data/directory.ts'

/** A state that the device has stored: its fields with the cursor, and the windows at that cursor. */
export interface Kept extends KeptContents {
  readonly state: State
  readonly windows: readonly KeptWindow[]
  readonly people: readonly DirectoryEntry[] | undefined
}
