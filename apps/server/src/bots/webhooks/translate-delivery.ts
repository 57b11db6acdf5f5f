import { findStartedModule } from '@oxbow/assets'
import type { Integration, Outcome } from '@oxbow/integrations'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Delivery } from '../../platform/http/delivery.ts'
import { LazyWorker } from '../../platform/threads/lazy-worker.ts'
import { maxBytesOnMainThread } from './delivery-form.ts'
import { findPeople, type Person } from './find-people.ts'
import {
  type TranslatedParts,
  type Translation,
  type TranslationContext,
  translatePayload,
} from './translate-payload.ts'

export interface Translated {
  outcome: Outcome
  /** People named in the payload who have an account. */
  people: ReadonlyMap<string, Person>
  deliveryId: string | undefined
}

export interface TranslationRequest {
  name: string
  parts: TranslatedParts
  context: TranslationContext
}

const noPeople: ReadonlyMap<string, Person> = new Map()

const thread = new LazyWorker<TranslationRequest, Translation>(findStartedModule('translation-worker'))

/**
 * Parses and translates a delivery. Large deliveries are handled in a worker thread, because they
 * could block the event loop.
 */
export async function translateDelivery(
  app: App,
  actor: Actor,
  name: string,
  integration: Integration,
  delivery: Delivery,
): Promise<Translated> {
  const { organization_id, user_id: id, bot } = actor
  const parts = toParts(integration, delivery)
  const isLarge = isCostly(delivery.body)
  const run = async (people?: TranslationContext['people']) => {
    const context = { people, bot: bot && { id, email: bot.email, full_name: bot.full_name } }
    const translation = isLarge
      ? await thread.ask({ name, parts, context })
      : translatePayload(integration, parts, context)
    const { mistake: err } = translation
    if (err)
      app.log.error({ err, integration: integration.title }, 'an integration failed to translate a delivery')
    return translation
  }
  const first = await run()
  const { named, deliveryId } = first
  const people = named.length > 0 ? await findPeople(app, organization_id, named) : noPeople
  const names = new Map([...people].map(([name, { full_name }]) => [name, full_name]))
  const outcome = first.outcome ?? ((await run(names)).outcome as Outcome)
  return { outcome, people, deliveryId }
}

/**
 * Bodies with more commas are handled in a worker thread: the number of commas approximates the
 * number of values, and many values take long even in a small body.
 */
const maxCommas = 5_000

function isCostly(body: Buffer): boolean {
  if (body.length <= maxCommas || body.length > maxBytesOnMainThread) return body.length > maxCommas
  let commas = 0
  for (const byte of body) if (byte === 0x2c) commas++
  return commas > maxCommas
}

function toParts(
  { eventHeader, deliveryId }: Integration,
  { body, form, query, header }: Delivery,
): TranslatedParts {
  const named = [eventHeader?.name, ...(typeof deliveryId === 'object' ? Object.values(deliveryId) : [])]
  const headers = named.flatMap((name): [string, string][] => {
    const value = name === undefined ? undefined : header(name)
    return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value]]
  })
  return { body, form, query, headers: new Map(headers) }
}
