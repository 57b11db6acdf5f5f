import { type Key, type RestOf, type Translate, translateFor } from '@oxbow/texts'
import type { FastifyRequest } from 'fastify'
import { type Html, html } from '../html.ts'

/** Returns the texts in the language that the browser asks for. */
export const textsFor = ({ headers }: Pick<FastifyRequest, 'headers'>): Translate =>
  translateFor(headers['accept-language'])

/**
 * Returns a text of the catalogue as HTML. Arguments may be HTML too; tags are given as functions that return
 * HTML.
 */
export function rich<K extends Key>(t: Translate, key: K, ...rest: RestOf<K, Html>): Html {
  return html`${t.pieces<K, Html>(key, ...rest)}`
}

/** Wraps a name so that it cannot change the direction of the text around it. */
export const isolate = (name: string): Html => html`<bdi>${name}</bdi>`

/** Renders the text inside a tag of the catalogue as code. */
export const asCode = (content: readonly (string | Html)[]): Html => html`<code>${content}</code>`

/** Describes when to try again, in whole seconds or minutes. */
export function describeWait(t: Translate, seconds: number): string {
  if (seconds <= 90) return t('wait.seconds', { seconds: Math.max(1, Math.ceil(seconds)) })
  return t('wait.minutes', { minutes: Math.ceil(seconds / 60) })
}
