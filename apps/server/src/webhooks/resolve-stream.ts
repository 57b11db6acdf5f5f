import type { OrganizationId } from '@oxbow/contract'
import { findStreamId } from '../messages/send/recipients.ts'
import type { App } from '../platform/app.ts'
import { BoundedCache } from '../platform/bounded-cache.ts'
import { perNode } from '../platform/per-node.ts'
import { checkStreamName } from '../streams/names.ts'

/** Numbers that recently were not the name of a stream, by organization, with the time of the lookup. */
const unusedNames = perNode({
  name: 'numbers that name no stream',
  create: () => new BoundedCache<string, number>(10_000),
  countEntries: ({ size }) => size,
})
const maxAgeMs = 60_000

/** Returns the name or id of a stream. A number is an id unless a stream has it as its name. */
export async function resolveStream(
  app: App,
  { organization_id }: { organization_id: OrganizationId },
  rawName: string,
): Promise<string | number> {
  const name = checkStreamName(rawName.toWellFormed())
  if (!/^\d{1,15}$/.test(name)) return name
  const cache = unusedNames(app)
  const key = `${organization_id} ${name}`
  if (performance.now() - (cache.get(key) ?? Number.NEGATIVE_INFINITY) < maxAgeMs) return Number(name)
  if ((await findStreamId(app.db, organization_id, name)) !== undefined) return name
  cache.set(key, performance.now())
  return Number(name)
}
