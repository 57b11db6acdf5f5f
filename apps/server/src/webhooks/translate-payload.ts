import { type Bot, type Integration, type Outcome, translate } from '@oxbow/integrations'
import { argumentOf, isObject, readPayload, type SentParts } from './read-payload.ts'
import { refuseComplexPayload } from './refuse-complex.ts'

/** A delivery as it can be handed to a thread. */
export interface TranslatedParts extends SentParts {
  /** Those that the integration names, by their names in lower case. */
  headers: ReadonlyMap<string, string>
}

export interface TranslationContext {
  /** Full names of those whom the payload names; undefined where they were not looked up yet. */
  people: ReadonlyMap<string, string> | undefined
  bot: Bot | undefined
}

export interface Translation {
  /** Whom the payload names. */
  named: readonly string[]
  deliveryId: string | undefined
  /** Undefined where `named` must be looked up first. */
  outcome: Outcome | undefined
  /** What the code of the integration threw, which is a mistake of ours. */
  mistake: unknown
}

/**
 * Parses and translates a delivery. Uses nothing of the node, so that a thread can do it as well. Throws an `ApiError`
 * for what cannot be read as a payload of the service.
 */
export function translatePayload(
  integration: Integration,
  parts: TranslatedParts,
  context: TranslationContext,
): Translation {
  const payload = readPayload(integration.body, parts)
  refuseComplexPayload(payload)
  if (!isObject(payload))
    return { named: [], deliveryId: undefined, outcome: lacks('a JSON object'), mistake: undefined }
  const header = (name: string) => parts.headers.get(name.toLowerCase())
  const mistakes: unknown[] = []
  const needs = orFallback(mistakes, { named: [], deliveryId: idInHeader(integration, header) }, () =>
    readNeeds(integration, payload, header),
  )
  const isComplete = needs.named.length === 0 || context.people !== undefined
  const outcome = isComplete
    ? orFallback(mistakes, unreadable, () =>
        translate(integration, {
          payload,
          header,
          argument: (name) => argumentOf(parts, name),
          people: context.people ?? new Map(),
          ...(context.bot && { bot: context.bot }),
        }),
      )
    : undefined
  return { ...needs, outcome, mistake: mistakes[0] }
}

type Needs = Pick<Translation, 'named' | 'deliveryId'>
type ReadHeader = (name: string) => string | undefined

function readNeeds(integration: Integration, payload: object, header: ReadHeader): Needs {
  const { people, deliveryId } = integration
  const inHeader = idInHeader(integration, header)
  const fallback = { named: [], deliveryId: inHeader }
  if (!people && typeof deliveryId !== 'function') return fallback
  const parsed = integration.payload.safeParse(payload)
  if (!parsed.success) return fallback
  const inPayload = typeof deliveryId === 'function' ? deliveryId(parsed.data) : inHeader
  return { named: people?.(parsed.data) ?? [], deliveryId: inPayload || undefined }
}

/** Of one webhook, where the service gives the same id to all that it tells. */
function idInHeader({ deliveryId }: Integration, header: ReadHeader): string | undefined {
  if (typeof deliveryId !== 'object') return undefined
  const id = header(deliveryId.header)
  return (id && deliveryId.within ? `${header(deliveryId.within) ?? ''} ${id}` : id) || undefined
}

const lacks = (path: string): Outcome => ({ kind: 'refused', reason: { lacks: path } })
const unreadable = lacks('something that it always has')

/** Services stop sending to a server that answers with its own mistakes, so what ours could not read is called unreadable. */
function orFallback<Result>(mistakes: unknown[], fallback: Result, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    // Payloads that nest without end are no mistake of ours.
    if (!(error instanceof RangeError)) mistakes.push(error)
    return fallback
  }
}
