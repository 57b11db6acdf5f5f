import { pngOf } from '../picture.ts'
import type { Person } from '../world.ts'

/** Uploads a custom emoji with this name, and returns its id. */
export async function addEmoji(
  by: Person,
  emoji_name: string,
  bytes: Uint8Array = pngOf(80, 40),
): Promise<string> {
  await by.emoji.upload({ emoji_name, files: [{ name: 'x.png', bytes }] })
  const { emoji } = await by.emoji.list()
  const added = Object.values(emoji).find(({ name, deactivated }) => name === emoji_name && !deactivated)
  return added?.id ?? ''
}
