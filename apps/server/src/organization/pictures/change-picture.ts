import { ApiError, type api, type ParamsOf, type ResponseOf, type UploadedFile } from '@oxbow/contract'
import type { Updateable } from 'kysely'
import { emit } from '../../events/emit.ts'
import { recheckActor, writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { allowPause } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/tables.ts'
import { maxStoringSeconds } from '../../platform/files/file-store.ts'
import { makePicture, NotAnImage } from '../../platform/images/make-picture.ts'
import { enqueue } from '../../platform/jobs/jobs.ts'
import { type PictureKind, pictureUrl, viewPicture } from '../pictures.ts'
import { lockOrganization, updateOrganization } from '../queries.ts'
import { getPictureKey, pictureOptions, removeOrganizationPictures } from './picture-files.ts'

type Pictures = typeof api.organizationPictures
type Icon = ResponseOf<Pictures['setIcon']>

export async function setIcon(
  app: App,
  actor: Actor,
  { files }: ParamsOf<Pictures['setIcon']>,
): Promise<Icon> {
  const bytes = await renderPicture('icon', files)
  return changePicture(app, actor, 'icon', bytes, (icon_url) => ({ icon_url }))
}

export async function clearIcon(app: App, actor: Actor): Promise<Icon> {
  return changePicture(app, actor, 'icon', undefined, (icon_url) => ({ icon_url }))
}

export async function setLogo(
  app: App,
  actor: Actor,
  { night, files }: ParamsOf<Pictures['setLogo']>,
): Promise<object> {
  const kind = getLogoKind(night)
  return changePicture(app, actor, kind, await renderPicture(kind, files), () => ({}))
}

export async function clearLogo(
  app: App,
  actor: Actor,
  { night }: ParamsOf<Pictures['clearLogo']>,
): Promise<object> {
  return changePicture(app, actor, getLogoKind(night), undefined, () => ({}))
}

const getLogoKind = (night: boolean): PictureKind => (night ? 'night_logo' : 'logo')

async function renderPicture(
  kind: PictureKind,
  [file, ...more]: readonly UploadedFile[],
): Promise<Uint8Array> {
  if (!file || more.length > 0) throw new ApiError(kind === 'icon' ? 'ICON_COUNT' : 'LOGO_COUNT')
  const { bytes } = await makePicture(file.bytes, pictureOptions[kind]).catch(refuseInvalidImage)
  return bytes
}

/**
 * Changes a picture. The file is stored before the event is sent. If the change then fails, the
 * file is left with an unused version, which the next change overwrites or removes.
 */
async function changePicture<Result>(
  app: App,
  actor: Actor,
  kind: PictureKind,
  bytes: Uint8Array | undefined,
  buildResponse: (url: string) => Result,
): Promise<Result> {
  const { organization_id } = actor
  return writeAs(app, actor, async (tx) => {
    const organization = await lockOrganization(tx, organization_id)
    await recheckActor(tx, actor)
    const before = organization[`${kind}_version`]
    const version = before + 1
    if (bytes) {
      await allowPause(tx, maxStoringSeconds)
      await app.files.put(getPictureKey({ organization_id, kind, version }), bytes)
    }
    const stock = kind === 'icon' ? 'external' : 'default'
    const change = { [`${kind}_source`]: bytes ? 'uploaded' : stock, [`${kind}_version`]: version }
    await updateOrganization(tx, organization_id, change as Updateable<Tables['organization']>)
    const versions = bytes ? [before] : [before, version]
    await enqueue(tx, removeOrganizationPictures, { organization_id, kind, versions })
    const changed = { ...organization, ...change }
    emit(tx, {
      organization_id,
      event: {
        type: 'realm',
        op: 'update_dict',
        property: kind,
        data: viewPicture(changed, kind),
      },
      to: { roles: 'everyone' },
      effects: [{ kind: 'organization' }],
    })
    return buildResponse(pictureUrl(changed, kind))
  })
}

function refuseInvalidImage(error: unknown): never {
  if (!(error instanceof NotAnImage)) throw error
  throw new ApiError(error.reason === 'unreadable' ? 'BAD_IMAGE' : 'IMAGE_TOO_LARGE')
}
