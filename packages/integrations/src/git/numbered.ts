import { quote } from '../markdown/block.ts'
import { code, line, link } from '../markdown/text.ts'
import { list } from '../markdown/words.ts'
import { withoutHtmlComments } from './html-comments.ts'
import type { Titled } from './topics.ts'

/** An item with a number and a title, like a pull request or an issue. */
export interface NumberedItem extends Titled {
  readonly url?: string | undefined
}

export interface Change {
  readonly actor: string
  /** The verb between the actor and the item: `opened`, `merged`. */
  readonly action: string
  readonly item: NumberedItem
  /** Whether the message must show the title, because the topic does not. */
  readonly showsTitle: boolean
  readonly assignees?: readonly string[] | undefined
  readonly reviewers?: readonly string[] | undefined
  readonly branches?: { readonly head: string; readonly base: string } | undefined
  readonly description?: string | undefined
}

export function linkNumbered({ type, number, title, url }: NumberedItem, showsTitle: boolean): string {
  return link(showsTitle ? `${type} #${number} ${title}` : `${type} #${number}`, url)
}

export function changeMessage(change: Change): string {
  const { actor, action, item, showsTitle, assignees = [], reviewers = [], branches, description } = change
  const about = [
    assignees.length > 0 && `(assigned to ${list(assignees.map(line))})`,
    reviewers.length > 0 && `(to be reviewed by ${list(reviewers)})`,
    branches && `from ${code(branches.head)} to ${code(branches.base)}`,
  ].filter(Boolean)
  const headline = [line(actor), action, linkNumbered(item, showsTitle), ...about].join(' ')
  const words = description && withoutHtmlComments(description)
  if (words) return `${headline}:\n\n${quote(words)}`
  return showsTitle && about.length === 0 && /[.!?…]$/.test(item.title) ? headline : `${headline}.`
}
