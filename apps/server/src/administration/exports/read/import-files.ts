import { Readable } from 'node:stream'
import type { OrganizationId, UserId } from '@oxbow/contract'
import type { AvatarSize } from '../../../identity/accounts/public-account.ts'
import { uploadKey } from '../../../messages/uploads/names.ts'
import { getEmojiPictureKey } from '../../../organization/emoji/views.ts'
import { getPictureKey } from '../../../organization/pictures/picture-files.ts'
import type { PictureKind } from '../../../organization/pictures.ts'
import { avatarKey } from '../../../people/users/avatar/avatar-files.ts'
import type { FileStore } from '../../../platform/files/file-store.ts'
import type { ExportReader, ListedFile } from './export-reader.ts'
import type { IdMaps } from './id-maps.ts'
import { contentRefusal } from './refuse.ts'

/**
 * Values, besides the file names, that determine the keys of the imported files; collected while
 * rows are converted.
 */
export interface FileTargets {
  organization_id: OrganizationId
  ids: IdMaps
  /** Versions of the organization's pictures by kind, and of avatars by their user ids in the export. */
  pictureVersions: Map<string, number>
  avatarVersions: Map<number, number>
  /** New paths and checksums of uploads, by their ids in the export. */
  uploads: Map<number, { path_id: string; sha256: string }>
}

/** Copies the files of an export into the store of this server. */
export async function importFiles(
  reader: ExportReader,
  files: FileStore,
  targets: FileTargets,
  onFile: () => void,
): Promise<void> {
  for await (const file of reader.list()) {
    if (file.type !== undefined) continue
    const key = findKey(file, targets)
    if (key === undefined) continue
    await files.put(key, Readable.from(reader.readFile(file)))
    onFile()
  }
}

function findKey({ name, sha256 }: ListedFile, targets: FileTargets): string | undefined {
  const { organization_id, ids, pictureVersions, avatarVersions, uploads } = targets
  const [, folder = '', file = ''] = name.split('/')
  switch (folder) {
    case 'uploads': {
      const upload = uploads.get(Number(file))
      if (!upload || upload.sha256 !== sha256) throw contentRefusal(`${name} is not the file of its record`)
      return uploadKey(upload.path_id)
    }
    case 'avatars': {
      const [, id = '', size = ''] = /^(\d+)-(small|medium)/.exec(file) ?? []
      const version = avatarVersions.get(Number(id))
      if (version === undefined) return undefined
      return avatarKey(
        { organization_id, id: ids.get('user', Number(id)) as UserId, version },
        size as AvatarSize,
      )
    }
    case 'emoji': {
      const [id = '', ending = ''] = file.split('.')
      const found = ids.find('emoji', Number(id))
      return found === undefined
        ? undefined
        : getEmojiPictureKey({ organization_id, file: `${found}.${ending}` })
    }
    default: {
      const kind = file.split('.')[0] as PictureKind
      const version = pictureVersions.get(kind)
      return version === undefined ? undefined : getPictureKey({ organization_id, kind, version })
    }
  }
}
