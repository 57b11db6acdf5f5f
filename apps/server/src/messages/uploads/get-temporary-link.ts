import type { api, ParamsOf, ResponseOf } from '@oxbow/contract'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { accessUpload } from './access.ts'
import { makeTemporaryLink } from './temporary-links.ts'

type GetLink = typeof api.uploads.getTemporaryLink

export async function getTemporaryLink(
  { db, secrets }: App,
  actor: Actor,
  { realm_id_str, filename }: ParamsOf<GetLink>,
): Promise<ResponseOf<GetLink>> {
  const upload = await accessUpload(db, actor, { path_id: `${realm_id_str}/${filename}` })
  return { url: makeTemporaryLink(secrets, actor, upload) }
}
