import type { OrganizationId, UserId } from '@oxbow/contract'
import type { AvatarSize } from '../../../identity/accounts/public-account.ts'
import type { FileStore } from '../../../platform/files/file-store.ts'
import { makePictures } from '../../../platform/images/make-picture.ts'
import { job } from '../../../platform/jobs/jobs.ts'

/** Width and height in pixels, the largest size first. */
const sides: Record<AvatarSize, number> = { medium: 500, small: 100 }
const sizes = Object.keys(sides) as AvatarSize[]

export interface AvatarVersion {
  organization_id: OrganizationId
  id: UserId
  version: number
}

/**
 * Returns the key of the file. Each version has its own files, so the content of a key never
 * changes once it is committed.
 */
export function avatarKey({ organization_id, id, version }: AvatarVersion, size: AvatarSize): string {
  return `avatars/${organization_id}/${id}/${version}-${size}.png`
}

export type Avatar = ReadonlyMap<AvatarSize, Uint8Array>

export async function drawAvatar(bytes: Uint8Array): Promise<Avatar> {
  const formats = sizes.map((size) => ({ width: sides[size], height: sides[size], fit: 'cover' as const }))
  const pictures = await makePictures(bytes, formats)
  return new Map(pictures.map((picture, index) => [sizes[index] as AvatarSize, picture.bytes]))
}

export async function putAvatar(
  files: FileStore,
  avatarVersion: AvatarVersion,
  avatar: Avatar,
): Promise<void> {
  for (const [size, bytes] of avatar) await files.put(avatarKey(avatarVersion, size), bytes)
}

/** Deletes files of replaced versions. Requests for old URLs then redirect to the current picture. */
export const removeAvatarFiles = job<{ organization_id: OrganizationId; id: UserId; versions: number[] }>({
  name: 'remove_avatar_files',
  async run({ files }, { versions, ...user }) {
    const keys = versions.flatMap((version) => sizes.map((size) => avatarKey({ ...user, version }, size)))
    for (const key of keys) await files.remove(key)
  },
})
