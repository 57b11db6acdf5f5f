import { request as send } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { basic } from './http.ts'

type Credentials = Parameters<typeof basic>[0]

export interface UploadResponse {
  status: number
  /** Path of the file, if it was accepted. */
  uri?: string
  text: string
}

const boundary = 'oxbow-test-form'

/** Uploads a file whose chunks are generated while they are sent. Rejects if the connection breaks. */
export async function uploadChunks(
  url: string,
  credentials: Credentials,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<UploadResponse> {
  const sent = send(`${url}/api/v1/user_uploads`, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: basic(credentials),
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
  })
  const received = new Promise<UploadResponse>((resolve, reject) => {
    sent.once('error', reject)
    sent.once('response', async (response) => {
      try {
        let text = ''
        for await (const chunk of response) text += chunk
        const { uri } = JSON.parse(text)
        resolve({ status: response.statusCode ?? 0, text, ...(uri && { uri }) })
      } catch (error) {
        reject(error)
      }
    })
  })
  // A node that refuses an upload responds before it received everything, and may close the connection.
  pipeline(Readable.from(formOf(chunks)), sent).catch(() => {})
  return received
}

async function* formOf(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) {
  yield Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="file.bin"\r\n\r\n`,
  )
  yield* chunks
  yield Buffer.from(`\r\n--${boundary}--\r\n`)
}

/** Yields the same chunk repeatedly, up to at least this size. */
export function* repeatChunk(megabytes: number): Generator<Uint8Array> {
  const chunk = Buffer.alloc(65_536, 'x')
  for (let sent = 0; sent < megabytes * 1_000_000; sent += chunk.length) yield chunk
}

/**
 * Downloads a file without storing it, and calls `use` with every chunk. Returns the number of
 * bytes. Rejects if the file is refused or the connection breaks early.
 */
export function downloadChunks(
  url: string,
  credentials: Credentials,
  path: string,
  use: (chunk: Buffer) => void = () => {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: basic(credentials) }
    const sent = send(url + path, { agent: false, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path} was answered with ${response.statusCode}`))
      let size = 0
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        use(chunk)
      })
      response.once('end', () => resolve(size))
      response.once('error', reject)
    })
    sent.once('error', reject)
    sent.end()
  })
}
