import { ApiError, type api, maxLinkifiers, type ParamsOf, type ResponseOf } from '@oxbow/contract'
import { type CompiledLinkifier, compileLinkifier } from '@oxbow/markdown'
import { emit } from '../../events/emit.ts'
import { recheckActor, writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import { lockOrganization } from '../queries.ts'
import { deleteLinkifier, insertLinkifier, listLinkifierRows } from './queries.ts'
import { viewLinkifiers } from './views.ts'

type Linkifiers = typeof api.linkifiers

export async function listLinkifiers(
  { db }: App,
  { organization_id }: Actor,
): Promise<ResponseOf<Linkifiers['list']>> {
  return { filters: viewLinkifiers(await listLinkifierRows(db, organization_id)) }
}

/**
 * Lists linkifiers as objects, as later feature levels of the protocol do. `listLinkifiers` returns
 * tuples.
 */
export async function listLinkifierObjects(
  { db }: App,
  { organization_id }: Actor,
): Promise<ResponseOf<Linkifiers['listByName']>> {
  const rows = await listLinkifierRows(db, organization_id)
  return { linkifiers: rows.map(({ id, pattern, url_format }) => ({ id, pattern, url_format })) }
}

export async function addLinkifier(
  app: App,
  actor: Actor,
  params: ParamsOf<Linkifiers['add']>,
): Promise<ResponseOf<Linkifiers['add']>> {
  const { organization_id } = actor
  const { pattern, urlFormat: url_format } = checkLinkifier(params)
  return changeLinkifiers(app, actor, async (tx) => {
    const { length } = await listLinkifierRows(tx, organization_id)
    if (length >= maxLinkifiers) throw new ApiError('TOO_MANY_LINKIFIERS', { limit: maxLinkifiers })
    return { id: await insertLinkifier(tx, { organization_id, pattern, url_format }) }
  })
}

export async function removeLinkifier(
  app: App,
  actor: Actor,
  { filter_id }: ParamsOf<Linkifiers['remove']>,
): Promise<object> {
  return changeLinkifiers(app, actor, async (tx) => {
    const wasFound = await deleteLinkifier(tx, actor.organization_id, filter_id)
    if (!wasFound) throw new ApiError('LINKIFIER_NOT_FOUND')
    return {}
  })
}

function checkLinkifier({ pattern, url_format_string }: ParamsOf<Linkifiers['add']>): CompiledLinkifier {
  const result = compileLinkifier(pattern, url_format_string)
  if ('linkifier' in result) return result.linkifier
  const [text = ''] = Object.values(result.errors).flat()
  throw new ApiError('LINKIFIER_INVALID', { text, errors: { ...result.errors } })
}

/**
 * Runs `work` while the organization's row is locked, and emits the whole list afterwards. The lock
 * serializes changes, so each emitted list includes all earlier changes.
 */
async function changeLinkifiers<Result>(
  app: App,
  actor: Actor,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const { organization_id } = actor
  return writeAs(app, actor, async (tx) => {
    await lockOrganization(tx, organization_id)
    await recheckActor(tx, actor)
    const result = await work(tx)
    const realm_filters = viewLinkifiers(await listLinkifierRows(tx, organization_id))
    emit(tx, {
      organization_id,
      event: { type: 'realm_filters', realm_filters },
      to: { roles: 'everyone' },
      // Invalidates the linkifier caches of all nodes.
      effects: [{ kind: 'organization' }],
    })
    return result
  })
}
