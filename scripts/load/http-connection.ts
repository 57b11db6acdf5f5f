import { connect, type Socket } from 'node:net'

export interface Call {
  method: string
  path: string
  form?: Record<string, string> | undefined
  headers?: Record<string, string>
}

export interface Answer {
  status: number
  body: string
}

/** One buffer for all sockets, because Node would otherwise allocate one for each piece that arrives. */
const sharedBuffer = Buffer.allocUnsafeSlow(262_144)

/** Opens a socket that hands over each piece as text, one character for each byte. */
export function openSocket(
  port: number,
  { onText, onEnd }: { onText: (text: string) => void; onEnd: () => void },
): Socket {
  const callback = (length: number) => {
    onText(sharedBuffer.toString('latin1', 0, length))
    return true
  }
  const socket = connect({
    port,
    host: '127.0.0.1',
    noDelay: true,
    onread: { buffer: sharedBuffer, callback },
  })
  return socket.on('error', () => {}).on('close', onEnd)
}

/** Writes a request to a node, with a body if there is a form. */
export function formatRequest(authorization: string, { method, path, form, headers = {} }: Call): string {
  const body = form ? new URLSearchParams(form).toString() : ''
  const lines = Object.entries({
    Host: '127.0.0.1',
    Authorization: authorization,
    'User-Agent': 'load',
    ...headers,
    ...(form && {
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': String(body.length),
    }),
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} /api/v1${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

/** Collects one HTTP response. */
export class ResponseParser {
  #text = ''
  #bodyAt = -1
  /** Length of the whole response; undefined while it is not known, or if the body has chunks. */
  #length: number | undefined

  /** Adds a piece. Returns the response when it is whole. */
  push(piece: string): Answer | undefined {
    this.#text += piece
    if (this.#bodyAt < 0) {
      const end = this.#text.indexOf('\r\n\r\n')
      if (end < 0) return undefined
      this.#bodyAt = end + 4
      const length = /\r\ncontent-length: (\d+)/i.exec(this.#text.slice(0, this.#bodyAt))?.[1]
      this.#length = length === undefined ? undefined : this.#bodyAt + Number(length)
    }
    const isWhole =
      this.#length === undefined ? this.#text.endsWith('0\r\n\r\n') : this.#text.length >= this.#length
    if (!isWhole) return undefined
    const status = Number(this.#text.slice(9, 12))
    const body = this.#text.slice(this.#bodyAt)
    const answer = { status, body: this.#length === undefined ? joinChunks(body) : body }
    this.#text = ''
    this.#bodyAt = -1
    return answer
  }
}

function joinChunks(body: string): string {
  let joined = ''
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf('\r\n', at)
    const length = Number.parseInt(body.slice(at, end), 16)
    if (!(length > 0)) break
    joined += body.slice(end + 2, end + 2 + length)
    at = end + 2 + length + 2
  }
  return joined
}

/** A connection that sends one request after the other, and is opened again when it was closed. */
export class HttpConnection {
  readonly #port: number
  readonly #authorization: string
  readonly #parser = new ResponseParser()
  #socket: Socket | undefined
  #answer: ((answer: Answer | undefined) => void) | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(port: number, authorization: string) {
    this.#port = port
    this.#authorization = authorization
  }

  /** Sends a request after those before it. Returns undefined if the connection broke before the response. */
  call(call: Call): Promise<Answer | undefined> {
    const answered = this.#last.then(() => this.#callNow(call))
    this.#last = answered
    return answered
  }

  close(): void {
    this.#socket?.destroy()
  }

  #callNow(call: Call): Promise<Answer | undefined> {
    return new Promise((resolve) => {
      this.#answer = resolve
      this.#socket ??= this.#open()
      this.#socket.write(formatRequest(this.#authorization, call))
    })
  }

  #open(): Socket {
    const socket = openSocket(this.#port, {
      onText: (text) => {
        const answer = this.#parser.push(text)
        if (answer) this.#settle(answer)
      },
      onEnd: () => {
        if (this.#socket === socket) this.#socket = undefined
        this.#settle(undefined)
      },
    })
    return socket
  }

  #settle(answer: Answer | undefined): void {
    const settle = this.#answer
    this.#answer = undefined
    settle?.(answer)
  }
}
