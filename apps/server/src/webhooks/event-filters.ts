import { ApiError } from '@oxbow/contract'
import { matchesPattern } from './match-pattern.ts'

type ReadArgument = (name: string) => string | undefined

/** Parses the event filter of a URL. `exclude_events` takes precedence over `only_events`. */
export function parseEventFilter(argument: ReadArgument): (event: string) => boolean {
  const only = parsePatterns(argument, 'only_events')
  const exclude = parsePatterns(argument, 'exclude_events')
  return (event) => {
    const isAmong = (patterns: readonly string[]) =>
      patterns.some((pattern) => matchesPattern(pattern, event))
    if (exclude && isAmong(exclude)) return false
    return only === undefined || isAmong(only)
  }
}

function parsePatterns(argument: ReadArgument, name: string): string[] | undefined {
  const text = argument(name)
  if (text === undefined) return undefined
  const patterns = parseJson(text, name)
  const isList = Array.isArray(patterns) && patterns.every((pattern) => typeof pattern === 'string')
  if (!isList) throw new ApiError('EVENT_FILTER_INVALID', { name })
  return patterns
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiError('ARGUMENT_NOT_JSON', { name })
  }
}
