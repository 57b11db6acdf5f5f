/** A span as a collector receives it. */
export interface ReceivedSpan {
  traceId: string
  spanId: string
  /** Empty for the first span of a trace. */
  parentId: string
  name: string
  /** 2: server, 3: client, 5: consumer. */
  kind: number
  attributes: Record<string, string>
  hasFailed: boolean
  /** Attributes of the node that sent it. */
  resource: Record<string, string>
}

/** The fields of a protobuf message by their numbers: bytes of texts and messages, and whole numbers. */
type Fields = Map<number, (Buffer | bigint)[]>

/** Decodes a request of OTLP, as bytes of protobuf (opentelemetry-proto, `ExportTraceServiceRequest`). */
export function decodeSpans(request: Buffer): ReceivedSpan[] {
  return messagesIn(readFields(request), 1).flatMap((resourceSpans) => {
    const [resource] = messagesIn(resourceSpans, 1)
    const attributes = resource ? readAttributes(resource, 1) : {}
    return messagesIn(resourceSpans, 2)
      .flatMap((scopeSpans) => messagesIn(scopeSpans, 2))
      .map((span) => readSpan(span, attributes))
  })
}

function readSpan(span: Fields, resource: Record<string, string>): ReceivedSpan {
  const [status] = messagesIn(span, 15)
  return {
    traceId: bytesIn(span, 1).toString('hex'),
    spanId: bytesIn(span, 2).toString('hex'),
    parentId: bytesIn(span, 4).toString('hex'),
    name: bytesIn(span, 5).toString(),
    kind: Number(span.get(6)?.[0] ?? 0),
    attributes: readAttributes(span, 9),
    hasFailed: status?.get(3)?.[0] === 2n,
    resource,
  }
}

function readAttributes(message: Fields, field: number): Record<string, string> {
  return Object.fromEntries(
    messagesIn(message, field).map((pair) => {
      const [value] = messagesIn(pair, 2)
      // A text is field 1 of the value, a whole number field 3.
      return [bytesIn(pair, 1).toString(), String(value?.get(1)?.[0] ?? value?.get(3)?.[0] ?? '')]
    }),
  )
}

const bytesIn = (message: Fields, field: number): Buffer => {
  const [bytes] = message.get(field) ?? []
  return Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0)
}

const messagesIn = (message: Fields, field: number): Fields[] =>
  (message.get(field) ?? []).flatMap((bytes) => (Buffer.isBuffer(bytes) ? [readFields(bytes)] : []))

function readFields(bytes: Buffer): Fields {
  const fields: Fields = new Map()
  let at = 0
  const readNumber = (): bigint => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at++)
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new Error('the message ends within a field')
    at += length
    return bytes.subarray(at - length, at)
  }
  const readValue = (wireType: number): Buffer | bigint => {
    if (wireType === 0) return readNumber()
    if (wireType === 1) return take(8).readBigUInt64LE()
    if (wireType === 2) return take(Number(readNumber()))
    if (wireType === 5) return BigInt(take(4).readUInt32LE())
    throw new Error(`unknown wire type ${wireType}`)
  }
  while (at < bytes.length) {
    const tag = Number(readNumber())
    const field = tag >> 3
    fields.set(field, [...(fields.get(field) ?? []), readValue(tag & 7)])
  }
  return fields
}
