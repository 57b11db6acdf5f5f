import { Agent, request } from 'node:http'
import { type Account, basic } from '@oxbow/testkit'

/** Sends requests over one kept-alive connection, with little overhead. */
export class Connection implements Disposable {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly #url: string
  readonly #headers: Record<string, string>

  /** The host names the organization; the root host by default. */
  constructor(url: string, account: Account, host?: string) {
    this.#url = `${url}/api/v1`
    this.#headers = { authorization: basic(account), ...(host && { host }) }
  }

  get(path: string, query: Record<string, string>): Promise<string> {
    return this.#ask('GET', `${path}?${new URLSearchParams(query)}`)
  }

  post(path: string, form: Record<string, string>): Promise<string> {
    return this.#ask('POST', path, new URLSearchParams(form).toString())
  }

  #ask(method: string, path: string, body?: string): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const headers = {
      ...this.#headers,
      ...(body !== undefined && {
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': String(Buffer.byteLength(body)),
      }),
    }
    const options = { agent: this.#agent, method, headers }
    const sent = request(this.#url + path, options, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => (text += chunk))
      response.on('end', () =>
        response.statusCode === 200
          ? resolve(text)
          : reject(new Error(`${method} ${path} was refused: ${text.slice(0, 1000)}`)),
      )
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
    return promise
  }

  [Symbol.dispose](): void {
    this.#agent.destroy()
  }
}
