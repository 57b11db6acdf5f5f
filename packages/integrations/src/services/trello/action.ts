import { z } from 'zod'
import { anything, link, read, text } from '../../writing.ts'

export const card = z.object({ name: text, shortLink: text })
export const board = z.object({ name: text, shortLink: text })

export const cardLink = ({ name, shortLink }: z.output<typeof card>): string =>
  link(name, `https://trello.com/c/${encodeURIComponent(shortLink)}`)

export const boardLink = ({ name, shortLink }: z.output<typeof board>): string =>
  link(name, `https://trello.com/b/${encodeURIComponent(shortLink)}`)

/**
 * The text after the actor's name, `ignored` if the action needs no message, or undefined if it is
 * unknown.
 */
export type ActionText = string | 'ignored' | undefined
export type Describer = (payload: unknown) => ActionText

/** Creates a describer that reads a part of `action`. */
export function makeDescriber<Shape extends z.ZodRawShape>(
  shape: Shape,
  describe: (action: z.output<z.ZodObject<Shape>>) => ActionText,
): Describer {
  const schema = z.object({ action: z.object(shape) })
  return (payload) => describe(read(schema, payload).action as z.output<z.ZodObject<Shape>>)
}

const changePayload = z.object({ action: z.object({ data: anything.extend({ old: anything }) }) })

/** Creates a describer that calls the describer of the first changed field. `old` has the former values. */
export function makeChangeDescriber(describers: Readonly<Record<string, Describer>>): Describer {
  return (payload) => {
    const { old } = read(changePayload, payload).action.data
    const field = Object.keys(describers).find((key) => Object.hasOwn(old, key))
    return field && describers[field]?.(payload)
  }
}
