import {
  ApiError,
  type api,
  isAdministrator,
  type ParamsOf,
  type ResponseOf,
  type UploadedFile,
} from '@oxbow/contract'
import { type Actor, ActorChanged, IdempotentReplay } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Db } from '../../platform/database/database.ts'
import { makePicture, NotAnImage, type Picture } from '../../platform/images/make-picture.ts'
import { getOrganization } from '../queries.ts'
import { changeEmoji, requireEmojiPermission } from './change-emoji.ts'
import {
  countCustomEmoji,
  deactivateCustomEmoji,
  findCustomEmoji,
  insertCustomEmoji,
  listCustomEmoji,
  takeEmojiId,
} from './queries.ts'
import { getEmojiPictureKey, viewCustomEmoji } from './views.ts'

/**
 * Adds a custom emoji. Checks permissions and limits before it resizes the picture, and again when
 * it stores the emoji.
 */
export async function uploadEmoji(
  app: App,
  actor: Actor,
  { emoji_name, files }: ParamsOf<typeof api.emoji.upload>,
): Promise<object> {
  const { organization_id, user_id: author_id } = actor
  const name = checkEmojiName(emoji_name)
  requireEmojiPermission(await getOrganization(app.db, organization_id), actor)
  if (await findCustomEmoji(app.db, organization_id, name)) throw new ApiError('EMOJI_NAME_TAKEN')
  await refuseTooManyEmoji(app, app.db, actor)
  const { bytes, type } = await makeEmojiPicture(files)
  const id = await takeEmojiId(app.db)
  const file = `${id}.${type}`
  const key = getEmojiPictureKey({ organization_id, file })
  // The file must exist when the first client gets the event.
  await app.files.put(key, bytes)
  return changeEmoji(app, actor, async (tx, organization) => {
    requireEmojiPermission(organization, actor)
    await refuseTooManyEmoji(app, tx, actor)
    await insertCustomEmoji(tx, { organization_id, id, name, author_id, file })
  }).catch(async (error: unknown) => {
    // After other errors the row may have been committed. An unused file is better than a missing
    // one.
    if (refusalErrors.some((kind) => error instanceof kind)) await app.files.remove(key)
    throw error
  })
}

/**
 * Throws if the organization has the maximum number of emoji. The check is reliable only while the
 * organization's row is locked, as in `changeEmoji`.
 */
async function refuseTooManyEmoji({ config }: App, db: Db, { organization_id }: Actor): Promise<void> {
  const { emoji_per_organization: limit } = config
  if (limit > 0 && (await countCustomEmoji(db, organization_id)) >= limit)
    throw new ApiError('TOO_MANY_EMOJI', { limit })
}

/** Errors that are thrown only before anything is committed. */
const refusalErrors = [ApiError, IdempotentReplay, ActorChanged]
const sizePx = 64

async function makeEmojiPicture([file, ...others]: readonly UploadedFile[]): Promise<Picture> {
  if (!file || others.length > 0) throw new ApiError('ONE_FILE_EXPECTED')
  const format = { width: sizePx, height: sizePx, fit: 'contain', animated: true } as const
  return makePicture(file.bytes, format).catch((error: unknown) => {
    throw error instanceof NotAnImage ? new ApiError('IMAGE_UPLOAD_FAILED') : error
  })
}

/** Returns the name as stored, with inner spaces as `_`. Throws for invalid names. */
function checkEmojiName(rawName: string): string {
  const name = rawName.trim().replaceAll(' ', '_')
  if (name === '') throw new ApiError('EMOJI_NAME_MISSING')
  if (!/^[a-z0-9._-]*[a-z0-9]$/.test(name)) throw new ApiError('EMOJI_NAME_INVALID')
  return name
}

/** Deactivates an emoji. Its picture stays for messages and reactions that use it. */
export async function deactivateEmoji(
  app: App,
  actor: Actor,
  { emoji_name: name }: ParamsOf<typeof api.emoji.deactivate>,
): Promise<object> {
  return changeEmoji(app, actor, async (tx, rules) => {
    const emoji = await findCustomEmoji(tx, actor.organization_id, name)
    if (!emoji) throw new ApiError('EMOJI_DOES_NOT_EXIST', { name })
    requireEmojiPermission(rules, actor)
    const isOwn = emoji.author_id === actor.user_id
    if (!isOwn && !isAdministrator(actor.role)) throw new ApiError('NOT_EMOJI_AUTHOR')
    await deactivateCustomEmoji(tx, emoji)
  })
}

export async function listEmoji(
  { db }: App,
  { organization_id }: Actor,
): Promise<ResponseOf<typeof api.emoji.list>> {
  return { emoji: viewCustomEmoji(await listCustomEmoji(db, organization_id)) }
}
