import { ApiError, maxCharacters, parseOrRefuse } from '@oxbow/contract'
import { compilePattern } from './match-pattern.ts'

type ReadArgument = (name: string) => string | undefined

/** A URL has room for about as many. A form, which can contain a filter too, has room for millions. */
const maxFilterCharacters = 10_000
/** Names of events are shorter. The rest of a name from a hostile payload is ignored, because matching takes time. */
const maxEventCharacters = 100

/** Parses the event filter of a URL. `exclude_events` takes precedence over `only_events`. */
export function parseEventFilter(argument: ReadArgument): (event: string) => boolean {
  const isListed = parsePatterns(argument, 'only_events')
  const isExcluded = parsePatterns(argument, 'exclude_events')
  return (event) => {
    const name = event.slice(0, maxEventCharacters)
    return !isExcluded?.(name) && isListed?.(name) !== false
  }
}

/** Returns a function that checks whether a text matches one of the patterns; undefined without the argument. */
function parsePatterns(argument: ReadArgument, name: string): ((text: string) => boolean) | undefined {
  const text = argument(name)
  if (text === undefined) return undefined
  parseOrRefuse(maxCharacters(maxFilterCharacters), text, name)
  const patterns = parseJson(text, name)
  const isList = Array.isArray(patterns) && patterns.every((pattern) => typeof pattern === 'string')
  if (!isList) throw new ApiError('EVENT_FILTER_INVALID', { name })
  const matchers = patterns.map(compilePattern)
  return (text) => matchers.some((matches) => matches(text))
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiError('ARGUMENT_NOT_JSON', { name })
  }
}
