import type { z } from 'zod'
import type { Endpoint, Fields, Params } from './endpoint.ts'

/** Descriptions of the fields of an object, by name. A missing or unknown name does not compile. */
export type Texts<Shape> = { readonly [Name in keyof Shape]: string }

export interface EndpointTexts {
  readonly params: Readonly<Record<string, string>>
  readonly response: Readonly<Record<string, string>>
}

const textsByObject = new WeakMap<object, Readonly<Record<string, string>>>()
const textsByEndpoint = new WeakMap<Endpoint, EndpointTexts>()

/**
 * Registers the descriptions of an object schema's fields, for every use of that schema. Returns
 * them, so that schemas which extend this one can reuse them.
 */
export function describeFields<Shape extends z.core.$ZodShape>(
  object: z.ZodObject<Shape, z.core.$ZodObjectConfig>,
  texts: Texts<Shape>,
): Texts<Shape> {
  textsByObject.set(object, texts)
  return texts
}

/**
 * Registers the descriptions of an event's fields, except `id` and `type`, which mean the same in
 * all events.
 */
export function describeEvent<Shape extends z.core.$ZodShape>(
  object: z.ZodObject<Shape, z.core.$ZodObjectConfig>,
  texts: Omit<Texts<Shape>, 'id' | 'type'>,
): void {
  textsByObject.set(object, {
    id: 'The id of the event. Ids increase within a queue and may have gaps.',
    type: 'The type of the event.',
    ...texts,
  })
}

/** Registers the descriptions of all parameters and top-level response fields of an endpoint. */
export function describeEndpoint<P extends Params, R extends Fields>(
  endpoint: Endpoint<P, R>,
  params: Texts<P>,
  response: Texts<R>,
): void {
  textsByEndpoint.set(endpoint, { params, response })
}

export function findFieldTexts(object: object): Readonly<Record<string, string>> | undefined {
  return textsByObject.get(object)
}

export function findEndpointTexts(endpoint: Endpoint): EndpointTexts {
  return textsByEndpoint.get(endpoint) ?? { params: {}, response: {} }
}
