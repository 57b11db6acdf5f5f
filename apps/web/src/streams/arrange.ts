import type { StreamId, StreamSection } from '@oxbow/contract'
import { arrangeStreams } from '@oxbow/sdk/arrangement'
import { awaitOrShowRefusal } from '../client/act.ts'
import { client } from '../client/client.ts'
import { applyOptimistically } from '../client/pending.ts'
import { arrangedSections, streamFolders } from '../client/store.ts'
import { orderedStreams, streamSections } from '../client/streams/sections.ts'
import { offerUndo } from '../client/undo.ts'
import { t } from '../text/t.ts'
import {
  type Arrangement,
  withFolder,
  withFolderRenamed,
  withoutFolder,
  withSectionMoved,
  withStreamInFolder,
  withStreamMoved,
} from './arrangement.ts'

/** Changes of the own list of streams. Each is shown at once, and goes to the other devices of the account. */

/** Returns the sections as they are shown and stored now. Reads signals. */
export function getArrangement(): Arrangement {
  const stored = arrangedSections.value ?? []
  // Inactive streams belong to their section too, in the order in which the nav lists them.
  const shown = arrangeStreams(orderedStreams.value, {
    sections: stored,
    folders: streamFolders.value ?? [],
  })
  return { shown, stored }
}

/** Names of the own folders, in their order. Reads signals. */
export const listOwnFolders = (): string[] =>
  streamSections.value.flatMap((section) => (section.kind === 'own' ? section.name : []))

/** Stores an arrangement. Throws the server's refusal. */
const store = (stream_sections: StreamSection[]): Promise<unknown> =>
  applyOptimistically([{ type: 'stream_sections', stream_sections }], (options) =>
    client.streamSections.set({ stream_sections }, options),
  )

async function storeOrShowRefusal(sections: StreamSection[] | undefined): Promise<boolean> {
  return sections !== undefined && awaitOrShowRefusal(store(sections))
}

export const moveSection = (identity: string, step: 1 | -1): Promise<boolean> =>
  storeOrShowRefusal(withSectionMoved(getArrangement(), identity, step))

export const moveStream = (stream_id: StreamId, step: 1 | -1): Promise<boolean> =>
  storeOrShowRefusal(withStreamMoved(getArrangement(), stream_id, step))

/** Puts a stream into an own folder, or takes it out of one. Throws the server's refusal. */
export const putIntoFolder = (stream_id: StreamId, name: string | undefined): Promise<unknown> =>
  store(withStreamInFolder(getArrangement(), stream_id, name))

/** Creates an own folder. Throws the server's refusal. */
export const createOwnFolder = (name: string): Promise<unknown> => store(withFolder(getArrangement(), name))

/** Renames an own folder. Throws the server's refusal. */
export const renameOwnFolder = (name: string, newName: string): Promise<unknown> =>
  store(withFolderRenamed(getArrangement(), name, newName))

/** Deletes an own folder, and offers to undo it. Its streams stay. */
export async function deleteOwnFolder(name: string): Promise<void> {
  const before = getArrangement()
  if (await storeOrShowRefusal(withoutFolder(before, name)))
    offerUndo(t('streams.folder_deleted', { name }), () => void storeOrShowRefusal([...before.stored]))
}
