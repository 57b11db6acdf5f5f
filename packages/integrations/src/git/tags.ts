import { line, link } from '../markdown/text.ts'

interface TagChange {
  readonly actor: string
  readonly tag: string
  readonly url?: string | undefined
}

export const tagPushedMessage = (change: TagChange): string => tagMessage('pushed', change)

export const tagRemovedMessage = (change: TagChange): string => tagMessage('removed', change)

function tagMessage(verb: string, { actor, tag, url }: TagChange): string {
  const headline = `${line(actor)} ${verb} tag ${link(tag, url)}`
  return /[.!?…]$/.test(tag) ? headline : `${headline}.`
}
