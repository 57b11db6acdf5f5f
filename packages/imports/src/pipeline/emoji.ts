import { findEmojiByCode, findEmojiCode } from '@oxbow/markdown'
import type { Adapter } from '../model/source.ts'
import type { Team } from './team.ts'

export interface FoundEmoji {
  type: 'realm_emoji' | 'unicode_emoji'
  code: string
  name: string
}

/** Finds the emoji that the source calls so: a custom one, or a Unicode one by the source's own table of names. */
export function findEmoji(adapter: Adapter, team: Team, sourceName: string): FoundEmoji | undefined {
  const custom = team.findEmoji(sourceName)
  if (custom) return { type: 'realm_emoji', code: String(custom.id), name: custom.name }
  const code = adapter.findEmojiCode(sourceName) ?? findEmojiCode(sourceName)
  const unicode = code === undefined ? undefined : findEmojiByCode(code)
  return unicode && { type: 'unicode_emoji', ...unicode }
}
