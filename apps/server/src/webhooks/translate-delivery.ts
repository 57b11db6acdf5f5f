import type { UserId } from '@oxbow/contract'
import { type Integration, type Outcome, translate } from '@oxbow/integrations'
import type { Actor, BotOfActor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { Delivery } from '../platform/delivery.ts'
import { findPeople, type Person } from './find-people.ts'
import { argumentOf, isObject } from './read-payload.ts'

export interface Translated {
  outcome: Outcome
  /** Whom the payload names, where they are known here. */
  people: ReadonlyMap<string, Person>
  deliveryId: string | undefined
}

const nobody: ReadonlyMap<string, Person> = new Map()

export async function translateDelivery(
  app: App,
  actor: Actor,
  integration: Integration,
  payload: unknown,
  delivery: Delivery,
): Promise<Translated> {
  if (!isObject(payload)) return { outcome: lacks('a JSON object'), people: nobody, deliveryId: undefined }
  const { named, deliveryId } = readNeeds(app, integration, payload, delivery)
  const people = named.length > 0 ? await findPeople(app.db, actor.organization_id, named) : nobody
  const arrived = {
    payload,
    header: delivery.header,
    argument: (name: string) => argumentOf(delivery, name),
    people: new Map([...people].map(([called, { full_name }]) => [called, full_name])),
    ...(actor.bot && { bot: botOf(actor.user_id, actor.bot) }),
  }
  const outcome = withoutMistakes(app, integration, unreadable, () => translate(integration, arrived))
  return { outcome, people, deliveryId }
}

const botOf = (id: UserId, { email, full_name }: BotOfActor) => ({ id, email, full_name })

interface Needs {
  /** Whom the translation asks for. */
  named: readonly string[]
  deliveryId: string | undefined
}

function readNeeds(app: App, integration: Integration, payload: object, { header }: Delivery): Needs {
  const { people, deliveryId } = integration
  const inHeader = typeof deliveryId === 'object' ? readId(deliveryId, header) : undefined
  const fallback = { named: [], deliveryId: inHeader || undefined }
  if (!people && typeof deliveryId !== 'function') return fallback
  return withoutMistakes(app, integration, fallback, () => {
    const parsed = integration.payload.safeParse(payload)
    if (!parsed.success) return fallback
    const inPayload = typeof deliveryId === 'function' ? deliveryId(parsed.data) : inHeader
    return { named: people?.(parsed.data) ?? [], deliveryId: inPayload || undefined }
  })
}

/** Of one webhook, where the service gives the same id to all that it tells. */
function readId(place: { header: string; within?: string }, header: Delivery['header']): string | undefined {
  const id = header(place.header)
  return id && place.within ? `${header(place.within) ?? ''} ${id}` : id
}

const lacks = (path: string): Outcome => ({ kind: 'refused', reason: { lacks: path } })
const unreadable = lacks('something that it always has')

/** Services stop sending to whoever answers with mistakes of their own, so what ours could not read is called unreadable. */
function withoutMistakes<Result>(
  { log }: App,
  { title }: Integration,
  fallback: Result,
  work: () => Result,
): Result {
  try {
    return work()
  } catch (err) {
    // Payloads that nest without end are none of our mistakes.
    if (!(err instanceof RangeError)) log.error({ err, integration: title }, 'a translation failed')
    return fallback
  }
}
