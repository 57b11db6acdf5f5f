/** One block of a stream of server-sent events. */
export interface ServerSentEvent {
  /** The last id that the stream gave, in this block or before. */
  id: string
  /** `message` where the block does not say. */
  type: string
  /** Absent where the block only moves the id on. */
  data?: string
}

/**
 * Reads server-sent events from bytes that come in pieces, cut anywhere. What stands after the last empty line is not
 * whole, and whoever resumes gets it again.
 */
export class EventStreamParser {
  readonly #decoder = new TextDecoder()
  #rest = ''
  #endedWithReturn = false
  #id = ''
  #type = ''
  #data: string[] = []
  #hasId = false

  push(bytes: Uint8Array): ServerSentEvent[] {
    const text = this.#decoder.decode(bytes, { stream: true })
    if (text === '') return []
    // The other half of a line break that was cut.
    const begin = this.#endedWithReturn && text.startsWith('\n') ? 1 : 0
    this.#endedWithReturn = text.endsWith('\r')
    const lines = (this.#rest + text.slice(begin)).split(/\r\n|\r|\n/)
    this.#rest = lines.pop() ?? ''
    return lines.flatMap((line) => (line === '' ? this.#end() : this.#read(line)))
  }

  #read(line: string): [] {
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (field === 'data') this.#data.push(value)
    if (field === 'event') this.#type = value
    if (field === 'id' && !value.includes('\0')) {
      this.#id = value
      this.#hasId = true
    }
    return []
  }

  #end(): ServerSentEvent[] {
    const [data, hasId] = [this.#data, this.#hasId]
    const event: ServerSentEvent = { id: this.#id, type: this.#type || 'message' }
    this.#type = ''
    this.#data = []
    this.#hasId = false
    if (data.length > 0) return [{ ...event, data: data.join('\n') }]
    return hasId ? [event] : []
  }
}
