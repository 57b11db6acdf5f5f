import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { ApiError, bytesPerMebibyte } from '@oxbow/contract'
import { type Arguments, bodyLimit, receive } from './request-input.ts'

/** A file of a form that is still arriving. */
export interface ArrivingFile {
  /** Chosen by the sender, so it must never be used as a path. */
  readonly name: string
  /** The media type that the sender declared. */
  readonly declaredType: string
  /**
   * Fails if the file is too large, the form is malformed or the client disconnects. The client cannot send
   * faster than this is read.
   */
  readonly content: Readable
}

/** The file of a request. The action reads it while it arrives. */
export interface StreamedFile {
  /** Size of the whole body in bytes, if the request declares it. */
  readonly bodySize: number | undefined
  /**
   * Passes the file to `store`, and waits until `store` is done and the form has ended. Resolves to
   * the result of `store`, or to undefined if the form has no file. A second call returns the result
   * of the first, because the content can be read only once.
   */
  readInto<Stored extends StoredContent>(
    store: (file: ArrivingFile) => Promise<Stored>,
  ): Promise<Stored | undefined>
}

/** Result of a `store` function. The digest identifies the content of a retried request. */
export interface StoredContent {
  sha256: string
}

export interface StreamedFormOptions {
  contentType: string | undefined
  /** Maximum size of the file in bytes. */
  maxBytes: number
}

/** A client sends only few fields with a file. They are kept in memory. */
const formLimits = { fields: 20, files: 10, parts: 40, headerPairs: 20, fieldSize: 65_536 }

/** A form with one file. Only the fields before the file are read in advance; a second file is refused. */
export class StreamedForm implements StreamedFile {
  readonly bodySize: number | undefined
  /** Called with the digest of the file's content once it is stored. */
  onStored?: (sha256: string) => void
  readonly #request: IncomingMessage
  readonly #options: StreamedFormOptions
  readonly #fields: Arguments = new Map()
  readonly #opened = Promise.withResolvers<Arguments>()
  readonly #ended = Promise.withResolvers<void>()
  #file: ArrivingFile | undefined
  #failure: ApiError | undefined
  #stored: Promise<StoredContent | undefined> | undefined

  constructor(request: IncomingMessage, options: StreamedFormOptions) {
    this.#request = request
    this.#options = options
    const declared = Number(request.headers['content-length'])
    this.bodySize = Number.isSafeInteger(declared) ? declared : undefined
    // If the form is refused early, nothing waits for its end.
    this.#ended.promise.catch(() => {})
  }

  /** Resolves to the fields before the file, once the file begins or the form ends without one. */
  open(): Promise<Arguments> {
    const isForm = this.#options.contentType?.trim().toLowerCase().startsWith('multipart/')
    const parser = isForm && this.#createParser()
    if (parser) this.#parse(parser)
    else void this.#skip(isForm ? new ApiError('MALFORMED_FORM') : undefined)
    return this.#opened.promise
  }

  readInto<Stored extends StoredContent>(
    store: (file: ArrivingFile) => Promise<Stored>,
  ): Promise<Stored | undefined> {
    this.#stored ??= this.#readInto(store)
    return this.#stored as Promise<Stored | undefined>
  }

  /** Stops parsing a request that was refused. Reading the content of its file then fails. */
  abandon(): void {
    this.#fail(new ApiError('UNREADABLE_REQUEST'))
  }

  async #readInto<Stored extends StoredContent>(
    store: (file: ArrivingFile) => Promise<Stored>,
  ): Promise<Stored | undefined> {
    if (this.#failure) throw this.#failure
    const stored = this.#file && (await store(this.#file).catch((error) => this.#explain(error)))
    await this.#ended.promise
    if (stored) this.onStored?.(stored.sha256)
    return stored
  }

  /**
   * Throws the failure of the form, if there is one, because the error of `store` that it causes is less
   * specific.
   */
  #explain(error: unknown): never {
    throw this.#failure ?? error
  }

  /**
   * Skips a body without files, up to its end, because a client reads an error only after it has sent
   * everything.
   */
  async #skip(error: ApiError | undefined): Promise<void> {
    try {
      await receive(this.#request, bodyLimit, () => {})
      if (error) this.#fail(error)
      else this.#end()
    } catch (reason) {
      this.#fail(reason as ApiError)
    }
  }

  #parse(parser: BusboyInstance): void {
    const request = this.#request
    const limit = this.#options.maxBytes + bodyLimit
    if ((this.bodySize ?? 0) > limit) {
      this.#fail(this.#tooLarge())
      return
    }
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (this.#failure) return
      if (size > limit) this.#fail(this.#tooLarge())
      else if (!parser.write(chunk)) request.pause()
    })
    parser.on('drain', () => request.resume())
    request.on('end', () => {
      // Existing clients send an empty body if a call has no parameters.
      if (size === 0) this.#end()
      else parser.end()
    })
    const onDisconnect = () => {
      if (!request.readableEnded) this.#fail(new ApiError('UNREADABLE_REQUEST'))
    }
    request.on('error', onDisconnect)
    request.on('close', onDisconnect)
  }

  /** Returns undefined for a content type without a boundary. */
  #createParser(): BusboyInstance | undefined {
    const { contentType = '', maxBytes } = this.#options
    try {
      const parser = new Busboy({
        headers: { 'content-type': contentType },
        limits: { ...formLimits, fileSize: maxBytes },
      })
      const refuse = () => this.#fail(new ApiError('MALFORMED_FORM'))
      parser.on('field', (name: string | undefined, value) => {
        if (name !== undefined && !this.#file) this.#fields.set(name, value)
      })
      parser.on('file', (_field, content, name, _encoding, declaredType) => {
        content.on('error', () => {
          // If the store has destroyed the file, the store's own error gives the reason.
          if (!content.destroyed) refuse()
        })
        content.on('limit', () => this.#fail(this.#tooLarge()))
        this.#takeFile({ name, declaredType, content })
      })
      for (const eventName of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
        parser.on(eventName, refuse)
      parser.on('error', refuse)
      parser.on('finish', () => this.#end())
      return parser
    } catch {
      return undefined
    }
  }

  #takeFile(file: ArrivingFile): void {
    // Browsers send a file without a name for an empty file field.
    if (!file.name || this.#failure) {
      file.content.resume()
    } else if (this.#file) {
      file.content.resume()
      this.#fail(new ApiError('ONE_FILE_AT_A_TIME'))
    } else {
      this.#file = file
      this.#opened.resolve(this.#fields)
    }
  }

  #end(): void {
    this.#opened.resolve(this.#fields)
    this.#ended.resolve()
  }

  #fail(error: ApiError): void {
    if (this.#failure) return
    this.#failure = error
    this.#file?.content.destroy(error)
    this.#opened.reject(error)
    this.#ended.reject(error)
    // Discards the rest of the body.
    this.#request.resume()
  }

  #tooLarge(): ApiError {
    return new ApiError('FILE_TOO_LARGE', { limit: this.#options.maxBytes / bytesPerMebibyte })
  }
}
