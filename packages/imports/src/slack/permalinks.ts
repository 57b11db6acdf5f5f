import type { MessageRef } from '../model/source.ts'

const permalink = /^https:\/\/[\w-]+\.slack\.com\/archives\/([A-Z0-9]{2,30})\/p(\d{10})(\d{6})(?:[?#]|$)/

/** Returns the message that an address of Slack leads to. */
export function findPermalink(url: string): MessageRef | undefined {
  const [, place, seconds, rest] = permalink.exec(url) ?? []
  return place === undefined ? undefined : { place, id: `${seconds}.${rest}` }
}

const anywhere = /https:\/\/[\w-]+\.slack\.com\/archives\/[A-Z0-9]{2,30}\/p\d{16}(?!\d)/g
const maxLinks = 50

/** Lists the messages to which texts link. */
export const listPermalinks = (text: string): MessageRef[] =>
  (text.match(anywhere) ?? []).slice(0, maxLinks).flatMap((url) => findPermalink(url) ?? [])
