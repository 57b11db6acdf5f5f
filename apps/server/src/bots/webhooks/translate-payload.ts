import { ApiError } from '@oxbow/contract'
import { type Bot, type Integration, type Outcome, translate } from '@oxbow/integrations'
import { getArgument, isObject, type PayloadParts, readPayload } from './read-payload.ts'

/** A delivery in a form that can be passed to a worker thread. */
export interface TranslatedParts extends PayloadParts {
  /** The headers that the integration reads, by lower-case name. */
  headers: ReadonlyMap<string, string>
}

export interface TranslationContext {
  /** Full names of the people named in the payload; undefined if they were not looked up yet. */
  people: ReadonlyMap<string, string> | undefined
  bot: Bot | undefined
}

export interface Translation {
  /** Names of people in the payload. */
  named: readonly string[]
  deliveryId: string | undefined
  /** Undefined if the people in `named` must be looked up first. */
  outcome: Outcome | undefined
  /** The error that the integration's code threw, which is a bug in the integration. */
  mistake: unknown
}

/**
 * Maximum number of object members and list items together. Services send at most a twentieth of
 * this.
 */
const maxValues = 200_000
const maxDepth = 100

/** Throws `PAYLOAD_TOO_COMPLEX` for JSON that would take long to process, even if it is small. */
function refuseComplexPayload(payload: unknown): void {
  let level: unknown[] = [payload]
  let values = 0
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) throw new ApiError('PAYLOAD_TOO_COMPLEX', { maxValues, maxDepth })
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue
      for (const inside of Object.values(value)) {
        next.push(inside)
        if (++values > maxValues) throw new ApiError('PAYLOAD_TOO_COMPLEX', { maxValues, maxDepth })
      }
    }
    level = next
  }
}

/**
 * Parses and translates a delivery. Uses no state of the node, so that it can also run in a worker
 * thread. Throws an `ApiError` for a payload that cannot be read.
 */
export function translatePayload(
  integration: Integration,
  parts: TranslatedParts,
  context: TranslationContext,
): Translation {
  const payload = readPayload(integration.body, parts)
  refuseComplexPayload(payload)
  if (!isObject(payload))
    return {
      named: [],
      deliveryId: undefined,
      outcome: buildIncompleteOutcome('a JSON object'),
      mistake: undefined,
    }
  const header = (name: string) => parts.headers.get(name.toLowerCase())
  const mistakes: unknown[] = []
  const needs = runOrFallback(mistakes, { named: [], deliveryId: readDeliveryId(integration, header) }, () =>
    readReferences(integration, payload, header),
  )
  const isComplete = needs.named.length === 0 || context.people !== undefined
  const outcome = isComplete
    ? runOrFallback(mistakes, unreadableOutcome, () =>
        translate(integration, {
          payload,
          header,
          argument: (name) => getArgument(parts, name),
          people: context.people ?? new Map(),
          ...(context.bot && { bot: context.bot }),
        }),
      )
    : undefined
  return { ...needs, outcome, mistake: mistakes[0] }
}

type PayloadReferences = Pick<Translation, 'named' | 'deliveryId'>
type ReadHeader = (name: string) => string | undefined

function readReferences(integration: Integration, payload: object, header: ReadHeader): PayloadReferences {
  const { people, deliveryId } = integration
  const inHeader = readDeliveryId(integration, header)
  const fallback = { named: [], deliveryId: inHeader }
  if (!people && typeof deliveryId !== 'function') return fallback
  const parsed = integration.payload.safeParse(payload)
  if (!parsed.success) return fallback
  const inPayload = typeof deliveryId === 'function' ? deliveryId(parsed.data) : inHeader
  return { named: people?.(parsed.data) ?? [], deliveryId: inPayload || undefined }
}

/**
 * Returns the delivery's id from its header. If the service uses the same ids for several webhooks,
 * the id is combined with the webhook's id.
 */
function readDeliveryId({ deliveryId }: Integration, header: ReadHeader): string | undefined {
  if (typeof deliveryId !== 'object') return undefined
  const id = header(deliveryId.header)
  return (id && deliveryId.within ? `${header(deliveryId.within) ?? ''} ${id}` : id) || undefined
}

const buildIncompleteOutcome = (path: string): Outcome => ({
  kind: 'refused',
  reason: { missingField: path },
})
const unreadableOutcome = buildIncompleteOutcome('something that it always has')

/**
 * Returns `fallback` if the integration's code throws. The delivery is then refused as unreadable,
 * because services stop sending to a server that responds with internal errors.
 */
function runOrFallback<Result>(mistakes: unknown[], fallback: Result, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    // A stack overflow caused by deep nesting is not a bug of the integration.
    if (!(error instanceof RangeError)) mistakes.push(error)
    return fallback
  }
}
