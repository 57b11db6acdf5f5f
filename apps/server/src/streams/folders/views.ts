import type { StreamFolder } from '@oxbow/contract'
import type { StreamFolderRow } from '../../platform/database/tables.ts'

export function viewFolder(folder: StreamFolderRow): StreamFolder {
  return {
    id: folder.id,
    name: folder.name,
    description: folder.description,
    rendered_description: folder.rendered_description,
    order: folder.position,
    is_archived: folder.is_archived,
    date_created: Math.floor(folder.created_at.getTime() / 1000),
    creator_id: folder.creator_id,
  }
}
