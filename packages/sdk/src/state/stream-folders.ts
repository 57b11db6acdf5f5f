import type { StreamFolder, StreamFolderEvent, StreamFolderId } from '@oxbow/contract'
import { changeEach, withFields } from './shared.ts'
import { type State, withFetched } from './state.ts'

export function applyStreamFolderEvent(state: State, event: StreamFolderEvent): State {
  const { channel_folders: folders = [] } = state
  return withFetched(state, { channel_folders: changeFolders(folders, event) })
}

function changeFolders(folders: StreamFolder[], event: StreamFolderEvent): StreamFolder[] {
  switch (event.op) {
    case 'add': {
      const others = folders.filter(({ id }) => id !== event.channel_folder.id)
      return inOrder([...others, event.channel_folder])
    }
    case 'update':
      return changeEach(folders, (folder) =>
        folder.id === event.channel_folder_id
          ? withFields(folder, event.data as Partial<StreamFolder>)
          : folder,
      )
    case 'reorder':
      return reorder(folders, event.order)
    default:
      // A newer server may have further operations.
      return folders
  }
}

function reorder(folders: StreamFolder[], order: readonly StreamFolderId[]): StreamFolder[] {
  const places = new Map(order.map((id, place) => [id, place]))
  return inOrder(
    changeEach(folders, (folder) => withFields(folder, { order: places.get(folder.id) ?? folder.order })),
  )
}

const inOrder = (folders: readonly StreamFolder[]): StreamFolder[] =>
  folders.toSorted((one, other) => one.order - other.order || one.id - other.id)
