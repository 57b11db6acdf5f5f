import type { z } from 'zod'
import type { Endpoint, Fields, Params } from '../kernel/endpoint.ts'

/** One sentence or more for each field, by its name. A missing or unknown name does not compile. */
export type Texts<Shape> = { readonly [Name in keyof Shape]: string }

export interface EndpointTexts {
  readonly params: Readonly<Record<string, string>>
  readonly response: Readonly<Record<string, string>>
}

const textsByObject = new WeakMap<object, Readonly<Record<string, string>>>()
const textsByEndpoint = new WeakMap<Endpoint, EndpointTexts>()

/**
 * Describes the fields of an object schema wherever that schema is used. Returns the texts, so that
 * schemas which extend this one can repeat them.
 */
export function describeFields<Shape extends z.core.$ZodShape>(
  object: z.ZodObject<Shape, z.core.$ZodObjectConfig>,
  texts: Texts<Shape>,
): Texts<Shape> {
  textsByObject.set(object, texts)
  return texts
}

/**
 * Describes the fields of one kind of event; `id` and `type` have the same meaning in all of them.
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

/** Describes every parameter and every top-level response field of an endpoint. */
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
