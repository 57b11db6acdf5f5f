import { z } from 'zod'
import { bold, paragraphs, quote, text } from '../../writing.ts'
import { card, cardLink, makeChangeDescriber, makeDescriber } from './action.ts'
import { deadline, showDeadline } from './deadline.ts'

const list = z.object({ name: text })

/** Describes only the first of these changes, because moving a card to another list also changes `pos`. */
export const describeUpdate = makeChangeDescriber({
  idList: makeDescriber(
    { data: z.object({ card, listBefore: list, listAfter: list }) },
    ({ data: { card, listBefore, listAfter } }) =>
      `moved ${cardLink(card)} from ${bold(listBefore.name)} to ${bold(listAfter.name)}.`,
  ),

  name: makeDescriber(
    { data: z.object({ card, old: z.object({ name: text }) }) },
    ({ data: { card, old } }) => `renamed the card ${bold(old.name)} to ${cardLink(card)}.`,
  ),

  desc: makeDescriber(
    { data: z.object({ card: card.extend({ desc: z.string() }), old: z.object({ desc: z.string() }) }) },
    ({ data: { card, old } }) => {
      if (card.desc.trim() === '') return `removed the description of ${cardLink(card)}.`
      const verb = old.desc.trim() === '' ? 'set' : 'changed'
      return paragraphs(`${verb} the description of ${cardLink(card)}:`, quote(card.desc))
    },
  ),

  due: makeDescriber(
    { data: z.object({ card: card.extend({ due: deadline }), old: z.object({ due: deadline }) }) },
    ({ data: { card, old } }) => {
      if (card.due === null) return `removed the due date of ${cardLink(card)}.`
      const date = bold(showDeadline(card.due))
      if (old.due === null) return `set the due date of ${cardLink(card)} to ${date}.`
      return `changed the due date of ${cardLink(card)} from ${bold(showDeadline(old.due))} to ${date}.`
    },
  ),

  closed: makeDescriber(
    { data: z.object({ card: card.extend({ closed: z.boolean() }) }) },
    ({ data: { card } }) => `${card.closed ? 'archived' : 'reopened'} ${cardLink(card)}.`,
  ),

  // Changes of the position within a list are too frequent to post.
  pos: () => 'ignored',
})
