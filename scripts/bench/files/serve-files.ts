// serve-files.ts KIND LOCATION serves PUT and GET of files by node:http alone, in a directory (bare)
// or an object store (bare-s3, with its settings in JSON), or through the store (store). Prints the
// port that it listens on.
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { AwsV4Signer } from 'aws4fetch'
import { diskFiles } from '../../../apps/server/src/platform/files/disk-files.ts'

type Handle = (key: string, request: IncomingMessage, response: ServerResponse) => Promise<unknown>

const [kind = '', location = ''] = process.argv.slice(2)

const bare: Record<string, Handle> = {
  async PUT(key, request, response) {
    // `flush` makes the file survive a crash, as the store does.
    await pipeline(request, createWriteStream(join(location, key), { flush: true }))
    response.end()
  },
  async GET(key, _request, response) {
    const { size } = await stat(join(location, key))
    response.setHeader('content-length', size)
    await pipeline(createReadStream(join(location, key)), response)
  },
}

/** Sends a signed request to the object store; the body is not part of the signature. */
async function callS3(method: string, path: string, body?: Uint8Array): Promise<IncomingMessage> {
  const { s3_endpoint, s3_bucket, s3_access_key, s3_secret_key } = JSON.parse(location)
  const signed = await new AwsV4Signer({
    method,
    url: `${s3_endpoint}/${s3_bucket}/${path}`,
    headers: { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD', 'content-length': String(body?.length ?? 0) },
    accessKeyId: s3_access_key,
    secretAccessKey: s3_secret_key,
    service: 's3',
    region: 'us-east-1',
  }).sign()
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = send(signed.url, { method, headers: Object.fromEntries(signed.headers) }, resolve)
    sent.once('error', reject)
    sent.end(body)
  })
  if (answer.statusCode !== 200) throw new Error(`the object store answered ${answer.statusCode}`)
  return answer
}

const partBytes = 5_242_880

/** Object stores take content of unknown length only in parts of at least 5 MiB. */
const bareS3: Record<string, Handle> = {
  async PUT(key, request, response) {
    const begun = await text(await callS3('POST', `${key}?uploads=`))
    const uploadId = /<UploadId>(.*?)</.exec(begun)?.[1] ?? ''
    const parts: string[] = []
    const part = Buffer.allocUnsafeSlow(partBytes)
    let filled = 0
    const putPart = async () => {
      const path = `${key}?partNumber=${parts.length + 1}&uploadId=${uploadId}`
      const answer = await callS3('PUT', path, part.subarray(0, filled))
      answer.resume()
      parts.push(
        `<Part><PartNumber>${parts.length + 1}</PartNumber><ETag>${answer.headers.etag}</ETag></Part>`,
      )
      filled = 0
    }
    for await (const chunk of request as AsyncIterable<Buffer>) {
      for (let at = 0; at < chunk.length; ) {
        const taken = chunk.copy(part, filled, at)
        filled += taken
        at += taken
        if (filled === partBytes) await putPart()
      }
    }
    if (filled > 0) await putPart()
    const list = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
    await text(await callS3('POST', `${key}?uploadId=${uploadId}`, Buffer.from(list)))
    response.end()
  },
  async GET(key, _request, response) {
    const answer = await callS3('GET', key)
    response.setHeader('content-length', answer.headers['content-length'] ?? 0)
    await pipeline(answer, response)
  },
}

const files = diskFiles(location)
const store: Record<string, Handle> = {
  async PUT(key, request, response) {
    await files.put(key, request)
    response.end()
  },
  async GET(key, _request, response) {
    const found = await files.get(key)
    if (!found) return response.writeHead(404).end()
    response.setHeader('content-length', found.size)
    await pipeline(found.content, response)
  },
}

const handlers = { bare, 'bare-s3': bareS3, store }[kind]
const server = createServer((request, response) => {
  const handle = handlers?.[request.method ?? '']
  handle?.((request.url ?? '').slice(1), request, response).catch(() => response.destroy())
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
})
