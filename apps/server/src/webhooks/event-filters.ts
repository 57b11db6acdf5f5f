import { ApiError } from '@oxbow/contract'
import { matchesPattern } from './match-pattern.ts'

type Argument = (name: string) => string | undefined

/** Whether the URL lets an event through. What must not come goes before what may. */
export function readEventFilter(argument: Argument): (event: string) => boolean {
  const only = readPatterns(argument, 'only_events')
  const exclude = readPatterns(argument, 'exclude_events')
  return (event) => {
    const isAmong = (patterns: readonly string[]) => patterns.some((each) => matchesPattern(each, event))
    if (exclude && isAmong(exclude)) return false
    return only === undefined || isAmong(only)
  }
}

function readPatterns(argument: Argument, name: string): string[] | undefined {
  const text = argument(name)
  if (text === undefined) return undefined
  const patterns = parse(text, name)
  const isList = Array.isArray(patterns) && patterns.every((each) => typeof each === 'string')
  if (!isList) throw new ApiError('EVENT_FILTER_INVALID', { name })
  return patterns
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiError('ARGUMENT_NOT_JSON', { name })
  }
}
