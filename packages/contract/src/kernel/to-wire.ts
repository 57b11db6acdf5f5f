import type { WireEndpoint } from '../plain/wire.ts'
import { type Endpoint, isIdempotent } from './endpoint.ts'

/** Returns the part of an endpoint that a client needs to call it. */
export function toWire(declared: Endpoint): WireEndpoint {
  const params = Object.entries(declared.params)
  const path = params
    .filter(([, { isRest }]) => isRest)
    .reduce<string>((text, [name]) => text.replace(`{${name}}`, `{${name}*}`), declared.path)
  return {
    method: declared.method,
    path,
    params: params
      .filter(([, { location }]) => location === 'arguments')
      .map(([name, { wireEncoding }]) => [name, wireEncoding]),
    isIdempotent: isIdempotent(declared),
    takesFiles: declared.files !== undefined,
  }
}
