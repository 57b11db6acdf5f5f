import { z } from 'zod'
import { bold, line, link, optional, paragraphs, quote, text, unscored, url } from '../../writing.ts'
import { card, cardLink, type Teller, teller } from './action.ts'

const ofCard = z.object({ card })
const labelled = z.object({ card, value: optional(text), text: optional(text) })
const person = z.object({ fullName: text })

export const cardActions = {
  createCard: teller({ data: ofCard }, ({ data }) => `created ${cardLink(data.card)}.`),

  addLabelToCard: teller(
    { data: labelled },
    ({ data }) => `added ${labelOf(data)} to ${cardLink(data.card)}.`,
  ),

  removeLabelFromCard: teller(
    { data: labelled },
    ({ data }) => `removed ${labelOf(data)} from ${cardLink(data.card)}.`,
  ),

  addMemberToCard: teller(
    { data: ofCard, member: person },
    ({ data, member }) => `added ${line(member.fullName)} to ${cardLink(data.card)}.`,
  ),

  removeMemberFromCard: teller(
    { data: ofCard, member: person },
    ({ data, member }) => `removed ${line(member.fullName)} from ${cardLink(data.card)}.`,
  ),

  addAttachmentToCard: teller(
    { data: z.object({ card, attachment: z.object({ name: text, url: optional(url) }) }) },
    ({ data: { attachment, card } }) =>
      `attached ${link(attachment.name, attachment.url)} to ${cardLink(card)}.`,
  ),

  addChecklistToCard: teller(
    { data: z.object({ card, checklist: z.object({ name: text }) }) },
    ({ data: { card, checklist } }) => `added the checklist ${bold(checklist.name)} to ${cardLink(card)}.`,
  ),

  commentCard: teller({ data: z.object({ card, text }) }, ({ data }) =>
    paragraphs(`commented on ${cardLink(data.card)}:`, quote(data.text)),
  ),

  updateCheckItemStateOnCard: teller(
    {
      data: z.object({
        card,
        checklist: optional(z.object({ name: text })),
        checkItem: z.object({ name: text, state: z.enum(['complete', 'incomplete']) }),
      }),
    },
    ({ data: { card, checkItem, checklist } }) => {
      const verb = checkItem.state === 'complete' ? 'checked' : 'unchecked'
      const place = checklist ? ` in the checklist ${bold(checklist.name)}` : ''
      return `${verb} ${bold(checkItem.name)}${place} of ${cardLink(card)}.`
    },
  ),
} satisfies Record<string, Teller>

/** Trello's labels have a colour, a name or both. */
function labelOf({ value, text }: { value?: string | undefined; text?: string | undefined }): string {
  const words = [value && line(unscored(value)), 'label', text && bold(text)].filter(Boolean).join(' ')
  return `${text ? 'the' : 'a'} ${words}`
}
