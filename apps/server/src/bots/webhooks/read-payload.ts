import { ApiError } from '@oxbow/contract'
import type { BodyKind } from '@oxbow/integrations'
import { parsePayload } from './parse-payload.ts'

/** The parts of a delivery that can contain its payload. */
export interface PayloadParts {
  readonly body: Uint8Array
  readonly query: ReadonlyMap<string, string>
  /** The fields of the form, if the body is a form. */
  readonly form: ReadonlyMap<string, string>
}

/** Reads the payload from the part of the delivery that the service uses for it. */
export function readPayload(kind: BodyKind = { kind: 'json' }, delivery: PayloadParts): unknown {
  switch (kind.kind) {
    case 'json':
      return readBody(delivery)
    case 'form':
      return readFields(delivery)
    case 'field':
      return readField(delivery, kind.field)
    case 'json or field':
      return getArgument(delivery, kind.field) === undefined
        ? readBody(delivery)
        : readField(delivery, kind.field)
    case 'json or form':
      return delivery.form.size === 0 ? readBody(delivery) : readFields(delivery)
  }
}

/** Returns an argument from the form or, if the form has none, from the URL. */
export function getArgument(
  { form, query }: Pick<PayloadParts, 'form' | 'query'>,
  name: string,
): string | undefined {
  return form.get(name) ?? query.get(name)
}

function readBody({ body }: PayloadParts): unknown {
  try {
    return parsePayload(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8'))
  } catch {
    throw new ApiError('INVALID_JSON')
  }
}

function readFields({ form, query }: PayloadParts): unknown {
  return Object.fromEntries(form.size > 0 ? form : query)
}

function readField(delivery: PayloadParts, name: string): unknown {
  const text = getArgument(delivery, name)
  if (text === undefined) throw new ApiError('REQUEST_VARIABLE_MISSING', { var_name: name })
  const payload = parseField(text, name)
  if (!isObject(payload)) throw new ApiError('FIELD_IS_NO_OBJECT', { name })
  return payload
}

function parseField(text: string, name: string): unknown {
  try {
    return parsePayload(text)
  } catch {
    throw new ApiError('ARGUMENT_NOT_JSON', { name })
  }
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
