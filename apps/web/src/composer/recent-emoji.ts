import { computed, signal } from '@preact/signals'
import { loadedMarkdown } from '../client/writing/render.ts'
import { type EmojiChoice, toChoice } from './emoji-choices.ts'

const maxRecent = 16
const storageKey = 'oxbow.emoji'

/** Codes of the emoji that fill up the list while the user has chosen few. */
const usualCodes = ['1f44d', '1f389', '2764', '263a', '1f606', '1f440', '2705', '1f419']

const chosen = signal<readonly EmojiChoice[]>(readChosen())

/** The emoji that were most recently chosen on this device, followed by common ones. */
export const recentEmoji = computed(() => {
  const codes = new Set(chosen.value.map(({ code }) => code))
  const usual = usualCodes.flatMap((code) => {
    const emoji = codes.has(code) ? undefined : loadedMarkdown.value?.findEmojiByCode(code)
    return emoji ? [toChoice(emoji)] : []
  })
  return [...chosen.value, ...usual].slice(0, maxRecent)
})

export function noteEmoji(choice: EmojiChoice): void {
  const others = chosen.peek().filter(({ code }) => code !== choice.code)
  chosen.value = [choice, ...others].slice(0, maxRecent)
  try {
    localStorage.setItem(storageKey, JSON.stringify(chosen.value))
  } catch {
    // Storage is disabled in this browser.
  }
}

function readChosen(): readonly EmojiChoice[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]')
    const choices = Array.isArray(stored) ? stored.filter(isChoice).slice(0, maxRecent) : []
    return choices.map((choice) => (choice.url === undefined ? toChoice(choice) : choice))
  } catch {
    return []
  }
}

const isChoice = (value: unknown): value is EmojiChoice =>
  typeof value === 'object' && value !== null && 'name' in value && 'code' in value && 'glyph' in value
