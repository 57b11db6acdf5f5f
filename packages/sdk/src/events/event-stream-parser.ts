/** One server-sent event. */
export interface ServerSentEvent {
  /** The last id of the stream, from this event or an earlier one. */
  id: string
  /** `message` by default. */
  type: string
  /** Absent if the event only advances the id. */
  data?: string
}

/**
 * Parses server-sent events from chunks of bytes, which may be split anywhere. An incomplete event
 * at the end of the stream is dropped, because the server sends it again when the client resumes.
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
    // Skips the second half of a CRLF that was split between two chunks.
    const begin = this.#endedWithReturn && text.startsWith('\n') ? 1 : 0
    this.#endedWithReturn = text.endsWith('\r')
    // Only the new text is searched, because a long event arrives in many chunks.
    const lines = text.slice(begin).split(/\r\n|\r|\n/)
    const [first = ''] = lines
    const begun = this.#rest + first
    if (lines.length === 1) {
      this.#rest = begun
      return []
    }
    lines[0] = begun
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
