import { createHash } from 'node:crypto'
import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { AwsV4Signer } from 'aws4fetch'
import { retry } from '../../retry.ts'
import { StorageUnavailable } from '../storage-refusal.ts'
import type { S3Settings } from './s3-settings.ts'
import { findElement } from './s3-xml.ts'

export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Key of a file. Without a key, the request concerns the bucket. */
  key?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Uint8Array
  /** Hexadecimal digest of the body, if the caller knows it. The object store compares it with the body. */
  sha256?: string
  /** After this many milliseconds without a byte, an attempt fails; the default is that of the client. */
  idleMs?: number
  /** Statuses that are expected in addition to those of success, and not treated as refusals. */
  expected?: readonly number[]
}

export interface S3Response {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

export interface S3ClientOptions {
  /** After this many milliseconds without a byte, an attempt fails; 15 seconds by default. */
  idleMs?: number
  /** After this many milliseconds, a short response must be complete; 2 minutes by default. */
  maxResponseMs?: number
  /** Maximum number of attempts per request; 5 by default, which take about 4 seconds. */
  maxAttempts?: number
}

/** No attempt starts later than this after the first one. */
const maxRetryMs = 10_000
const firstBackoffMs = 100
const connectMs = 5_000
const emptySha256 = createHash('sha256').digest('hex')

/** Returns whether a retry within seconds may succeed. */
function isTemporary(error: unknown): boolean {
  if (!(error instanceof S3Refusal)) return true
  const { status, code } = error
  return status >= 500 || status === 429 || status === 408 || code === 'RequestTimeout'
}

/** A listing page, which is the longest response, has up to 1,000 keys. */
const maxBytes = 8_388_608

/**
 * Reads a short response to its end. Throws if the response ends early, is too long, or is not complete after
 * `maxResponseMs`.
 */
async function readText(response: IncomingMessage, maxResponseMs: number): Promise<string> {
  const timer = setTimeout(() => {
    response.destroy(new Error(`the response was not complete after ${maxResponseMs / 1000} seconds`))
  }, maxResponseMs)
  try {
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of response) {
      chunks.push(chunk)
      size += chunk.length
      if (size > maxBytes) throw new Error(`the response of the object store has more than ${maxBytes} bytes`)
    }
    return Buffer.concat(chunks).toString()
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Sends signed requests to one bucket. Requests that fail because of the network or a temporary problem are
 * retried with increasing waits, so every request must be safe to retry. Throws `StorageUnavailable`.
 */
export class S3Client {
  readonly settings: S3Settings
  readonly #agent: HttpAgent
  readonly #send: typeof httpRequest
  readonly #maxAttempts: number
  readonly idleMs: number
  readonly #maxResponseMs: number
  /** Signing keys; a new one is derived once a day. */
  readonly #signingKeys = new Map<string, ArrayBuffer>()

  constructor(
    settings: S3Settings,
    { maxAttempts = 5, idleMs = 15_000, maxResponseMs = 120_000 }: S3ClientOptions = {},
  ) {
    this.idleMs = idleMs
    this.#maxResponseMs = maxResponseMs
    this.settings = settings
    this.#maxAttempts = maxAttempts
    const isSecure = settings.bucketUrl.startsWith('https:')
    this.#agent = new (isSecure ? HttpsAgent : HttpAgent)({ keepAlive: true, maxFreeSockets: 32 })
    this.#send = isSecure ? httpsRequest : httpRequest
  }

  /** Sends a request and reads its whole response, which must be short. */
  async call(request: S3Request): Promise<S3Response> {
    return this.#repeat(async () => {
      const response = await this.#attempt(request)
      const { statusCode: status = 0, headers } = response
      return { status, headers, text: await readText(response, this.#maxResponseMs) }
    })
  }

  /** Sends a request and returns its response as soon as it begins. The caller reads the body. */
  async open(request: S3Request): Promise<IncomingMessage> {
    return this.#repeat(() => this.#attempt(request))
  }

  /** Returns a URL that serves the file without credentials, valid for `seconds`. */
  async presign(key: string, query: Record<string, string>, seconds: number): Promise<string> {
    const url = this.#urlOf(key, { ...query, 'X-Amz-Expires': String(seconds) })
    const signed = await this.#signer({ method: 'GET', url, signQuery: true }).sign()
    return signed.url.href
  }

  async #repeat<Result>(attempt: () => Promise<Result>): Promise<Result> {
    const began = performance.now()
    return retry(attempt, {
      maxAttempts: this.#maxAttempts,
      shouldRetry: (error) => isTemporary(error) && performance.now() - began < maxRetryMs,
      delayMs: (attempts) => firstBackoffMs * 3 ** (attempts - 1) * (0.5 + Math.random()),
    }).catch((error: unknown) => {
      throw error instanceof StorageUnavailable ? error : describeNetworkError(error)
    })
  }

  async #attempt(request: S3Request): Promise<IncomingMessage> {
    const { method, key, query = {}, body, expected = [] } = request
    const sha256 = request.sha256 ?? (body ? createHash('sha256').update(body).digest('hex') : emptySha256)
    const headers = {
      ...request.headers,
      'x-amz-content-sha256': sha256,
      ...((body || method === 'PUT') && { 'content-length': String(body?.length ?? 0) }),
    }
    const signed = await this.#signer({ method, url: this.#urlOf(key, query), headers }).sign()
    const response = await this.#exchange(signed, body, request.idleMs ?? this.idleMs)
    const { statusCode: status = 0 } = response
    if ((status >= 200 && status < 300) || expected.includes(status)) return response
    throw readRefusal(status, await readText(response, this.#maxResponseMs), this.settings)
  }

  #signer(options: {
    method: string
    url: string
    headers?: Record<string, string>
    signQuery?: boolean
  }): AwsV4Signer {
    const { accessKey: accessKeyId, secretKey: secretAccessKey, region } = this.settings
    return new AwsV4Signer({
      ...options,
      accessKeyId,
      secretAccessKey,
      region,
      service: 's3',
      cache: this.#signingKeys,
    })
  }

  #urlOf(key: string | undefined, query: Record<string, string>): string {
    const { bucketUrl, prefix } = this.settings
    const search = new URLSearchParams(query).toString().replaceAll('+', '%20')
    const path = key === undefined ? '/' : `/${prefix}${key}`
    return `${bucketUrl}${path}${search && `?${search}`}`
  }

  #exchange(
    { method, url, headers }: { method: string; url: URL; headers: Headers },
    body: Uint8Array | undefined,
    idleMs: number,
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const sent = this.#send(url, { method, headers: Object.fromEntries(headers), agent: this.#agent })
      sent.on('error', reject)
      sent.on('response', resolve)
      sent.setTimeout(idleMs, () => sent.destroy(new Error(`no byte passed for ${idleMs / 1000} seconds`)))
      sent.once('socket', (socket) => {
        if (!socket.connecting) return
        const timer = setTimeout(() => {
          sent.destroy(new Error(`no connection within ${connectMs / 1000} seconds`))
        }, connectMs)
        const clear = () => clearTimeout(timer)
        socket.once(this.#agent instanceof HttpsAgent ? 'secureConnect' : 'connect', clear)
        socket.once('close', clear)
      })
      sent.end(body)
    })
  }
}

/** A response of the object store that refuses the request. */
export class S3Refusal extends StorageUnavailable {
  readonly status: number

  constructor(status: number, code: string | undefined, reason: string) {
    super(reason, { code })
    this.status = status
  }
}

/** Codes of errors. Other texts in their place are not logged. */
const errorCode = /^[\w.-]{1,100}$/

function readRefusal(status: number, text: string, { bucket }: S3Settings): S3Refusal {
  const found = findElement(text, 'Code') ?? ''
  const code = errorCode.test(found) ? found : undefined
  if (code === 'NoSuchBucket') return new S3Refusal(status, code, `the bucket ${bucket} does not exist`)
  return new S3Refusal(status, code, `the object store refuses requests: ${code ?? `status ${status}`}`)
}

function describeNetworkError(cause: unknown): StorageUnavailable {
  return new StorageUnavailable('the object store cannot be reached', { cause })
}
