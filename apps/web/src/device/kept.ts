import type { State } from '@oxbow/sdk/browser'
import type { KeptContents, KeptWindow } from '@oxbow/sdk/windows'
import type { DirectoryColumns } from '../data/directory.ts'

/** A state stored on the device: its fields with the cursor, and the windows as of that cursor. */
export interface Kept extends KeptContents {
  readonly state: State
  readonly windows: readonly KeptWindow[]
  readonly people: DirectoryColumns | undefined
}
