import type { State } from '@oxbow/sdk/browser'
import type { KeptContents, KeptWindow } from '@oxbow/sdk/windows'
import type { DirectoryEntry } from '../data/directory.ts'

/** A copy that the device has kept: the state with its cursor, and the windows as of it. */
export interface Kept extends KeptContents {
  readonly state: State
  readonly windows: readonly KeptWindow[]
  readonly people: readonly DirectoryEntry[] | undefined
}
