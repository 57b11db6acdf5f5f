import type { OrganizationId, UserId } from '@oxbow/contract'
import { uploadKey } from '../../../messages/uploads/names.ts'
import { getEmojiPictureKey } from '../../../organization/emoji/views.ts'
import { getPictureKey } from '../../../organization/pictures/picture-files.ts'
import { pictureKinds } from '../../../organization/pictures.ts'
import { avatarKey } from '../../../people/users/avatar/avatar-files.ts'
import { filesPrefix } from '../format/manifest.ts'

export interface FileOfRecord {
  /** Name in the export. */
  name: string
  /** Key in the file store. */
  key: string
}

interface Pictures {
  icon_source: string
  icon_version: number
  logo_source: string
  logo_version: number
  night_logo_source: string
  night_logo_version: number
}

/** Functions that list the files of a record, for each record type that has files. */
const listers: Record<string, (record: never, organization_id: OrganizationId) => FileOfRecord[]> = {
  organization: (record: Pictures, organization_id) =>
    pictureKinds
      .filter((kind) => record[`${kind}_source`] === 'uploaded')
      .map((kind) => ({
        name: `${filesPrefix}organization/${kind}.png`,
        key: getPictureKey({ organization_id, kind, version: record[`${kind}_version`] }),
      })),
  user: (record: { id: UserId; avatar_source: string; avatar_version: number }, organization_id) =>
    record.avatar_source === 'uploaded'
      ? (['small', 'medium'] as const).map((size) => ({
          name: `${filesPrefix}avatars/${record.id}-${size}.png`,
          key: avatarKey({ organization_id, id: record.id, version: record.avatar_version }, size),
        }))
      : [],
  custom_emoji: ({ file }: { file: string }, organization_id) => [
    { name: `${filesPrefix}emoji/${file}`, key: getEmojiPictureKey({ organization_id, file }) },
  ],
  upload: ({ id, path_id }: { id: number; path_id: string }) => [
    { name: `${filesPrefix}uploads/${id}`, key: uploadKey(path_id) },
  ],
}

/** Lists the files of one record, which is given as a line of JSON. */
export function listFilesOf(type: string, organization_id: OrganizationId, line: string): FileOfRecord[] {
  const list = Object.hasOwn(listers, type) ? listers[type] : undefined
  return list ? list(JSON.parse(line) as never, organization_id) : []
}
