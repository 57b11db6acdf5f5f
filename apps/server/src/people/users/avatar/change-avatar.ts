import {
  ApiError,
  type api,
  isAdministrator,
  type ParamsOf,
  type ResponseOf,
  type UploadedFile,
} from '@oxbow/contract'
import { emit } from '../../../events/emit.ts'
import { emitAbout } from '../../../identity/accounts/emit-about.ts'
import { avatarUrl } from '../../../identity/accounts/public-account.ts'
import { writeAs } from '../../../identity/write-as.ts'
import { getOrganization } from '../../../organization/queries.ts'
import type { Actor } from '../../../platform/actor.ts'
import type { App } from '../../../platform/app.ts'
import { allowPause, type Db, type Tx } from '../../../platform/database/database.ts'
import type { UserRow } from '../../../platform/database/tables.ts'
import { maxStoringSeconds } from '../../../platform/files/file-store.ts'
import { NotAnImage } from '../../../platform/images/make-picture.ts'
import { enqueue } from '../../../platform/jobs/jobs.ts'
import { accessOwnUser } from '../access.ts'
import { botChanged } from '../bots/events.ts'
import { avatarChanged } from '../events.ts'
import { updateUserRow } from '../queries.ts'
import { type Avatar, drawAvatar, putAvatar, removeAvatarFiles } from './avatar-files.ts'

type Users = typeof api.users

export async function setAvatar(
  app: App,
  actor: Actor,
  { files }: ParamsOf<Users['setAvatar']>,
): Promise<ResponseOf<Users['setAvatar']>> {
  const [file, ...more] = files
  if (!file || more.length > 0) throw new ApiError('AVATAR_COUNT')
  await refuseUnlessChangeable(app, app.db, actor)
  return changeAvatar(app, actor, await drawUpload(file))
}

export async function clearAvatar(app: App, actor: Actor): Promise<ResponseOf<Users['clearAvatar']>> {
  return changeAvatar(app, actor, undefined)
}

export async function drawUpload({ bytes }: UploadedFile): Promise<Avatar> {
  return drawAvatar(bytes).catch(refuse)
}

async function changeAvatar(app: App, actor: Actor, avatar: Avatar | undefined) {
  return writeAs(app, actor, async (tx) => {
    const user = await accessOwnUser(tx, actor)
    // Avatar changes may have been disabled while the picture was being drawn.
    await refuseUnlessChangeable(app, tx, actor)
    return { avatar_url: await replaceAvatar(app, tx, user, avatar) }
  })
}

/**
 * Replaces or removes the avatar of a user whose row is locked, and returns the new URL. Files are
 * written before the commit, so clients never get a URL without a file. If the transaction fails,
 * the files are left behind; the next change uses the same version and overwrites or deletes them.
 */
export async function replaceAvatar(
  app: App,
  tx: Tx,
  user: UserRow,
  avatar: Avatar | undefined,
): Promise<string> {
  const { organization_id, id } = user
  const version = user.avatar_version + 1
  if (avatar) {
    await allowPause(tx, maxStoringSeconds)
    await putAvatar(app.files, { organization_id, id, version }, avatar)
  }
  const change = {
    avatar_source: avatar ? ('uploaded' as const) : ('external' as const),
    avatar_version: version,
  }
  await updateUserRow(tx, organization_id, id, change)
  const versions = avatar ? [user.avatar_version] : [user.avatar_version, version]
  await enqueue(tx, removeAvatarFiles, { organization_id, id, versions })
  const changed = { ...user, ...change }
  const avatar_url = avatarUrl(app, changed)
  if (user.bot_type !== null) emit(tx, botChanged(user, { avatar_url }))
  await emitAbout(tx, changed, [avatarChanged(app, changed)])
  return avatar_url
}

async function refuseUnlessChangeable({ config }: App, db: Db, actor: Actor): Promise<void> {
  if (isAdministrator(actor.role)) return
  const { avatar_changes_disabled } = await getOrganization(db, actor.organization_id)
  if (avatar_changes_disabled || config.avatar_changes_disabled) throw new ApiError('AVATAR_CHANGES_DISABLED')
}

function refuse(error: unknown): never {
  if (!(error instanceof NotAnImage)) throw error
  throw new ApiError(error.reason === 'unreadable' ? 'BAD_IMAGE' : 'IMAGE_TOO_LARGE')
}
