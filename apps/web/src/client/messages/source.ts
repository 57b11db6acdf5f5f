import type { WindowMessage } from '@oxbow/sdk/windows'
import { client } from '../client.ts'

/** Returns the Markdown source of a message. */
export async function fetchSource({ id }: WindowMessage): Promise<string> {
  const { raw_content } = await client.messages.getRaw({ message_id: id, apply_markdown: false })
  return raw_content
}
