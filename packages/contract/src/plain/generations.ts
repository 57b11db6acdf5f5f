/**
 * Generations of the protocol that the server speaks, oldest first. Each is named by the feature level whose
 * names and shapes it has.
 */
export const generations = [27, 371] as const
export type Generation = (typeof generations)[number]

/** The generation of programs that name none. */
export const defaultGeneration: Generation = 27

/** The generation of the SDK and the web client. */
export const newestGeneration: Generation = 371

/** The request header in which a program names its generation. */
export const generationHeader = 'x-oxbow-protocol'

/**
 * Returns the generation for the value of the header: the newest one that is not newer than the named
 * number, so that a program of a later generation gets the newest shapes that this server has.
 */
export function readGeneration(header: unknown): Generation {
  if (typeof header !== 'string' || !/^\d{1,9}$/.test(header)) return defaultGeneration
  const named = Number(header)
  return generations.findLast((generation) => generation <= named) ?? defaultGeneration
}
