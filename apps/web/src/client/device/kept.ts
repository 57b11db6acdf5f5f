import type { State } from '@oxbow/sdk/browser'
import type { StoredContents, StoredWindow } from '@oxbow/sdk/windows'
import type { DirectoryColumns } from '../people/directory.ts'

/** A state stored on the device: its fields with the cursor, and the windows as of that cursor. */
export interface Kept extends StoredContents {
  readonly state: State
  readonly windows: readonly StoredWindow[]
  readonly people: DirectoryColumns | undefined
}
