import type { IncomingMessage } from 'node:http'

/** A listing page, which is the longest response, has up to 1,000 keys. */
const maxBytes = 8_388_608

/** Reads a short response to its end. Throws if the response ends early or is too long. */
export async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxBytes) throw new Error(`the response of the object store has more than ${maxBytes} bytes`)
  }
  return Buffer.concat(chunks).toString()
}
