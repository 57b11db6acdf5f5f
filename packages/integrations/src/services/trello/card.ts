import { z } from 'zod'
import {
  bold,
  line,
  link,
  optional,
  paragraphs,
  quote,
  replaceUnderscores,
  text,
  url,
} from '../../writing.ts'
import { card, cardLink, type Describer, makeDescriber } from './action.ts'

const cardData = z.object({ card })
const labelData = z.object({ card, value: optional(text), text: optional(text) })
const person = z.object({ fullName: text })

export const cardActions = {
  createCard: makeDescriber({ data: cardData }, ({ data }) => `created ${cardLink(data.card)}.`),

  addLabelToCard: makeDescriber(
    { data: labelData },
    ({ data }) => `added ${formatLabel(data)} to ${cardLink(data.card)}.`,
  ),

  removeLabelFromCard: makeDescriber(
    { data: labelData },
    ({ data }) => `removed ${formatLabel(data)} from ${cardLink(data.card)}.`,
  ),

  addMemberToCard: makeDescriber(
    { data: cardData, member: person },
    ({ data, member }) => `added ${line(member.fullName)} to ${cardLink(data.card)}.`,
  ),

  removeMemberFromCard: makeDescriber(
    { data: cardData, member: person },
    ({ data, member }) => `removed ${line(member.fullName)} from ${cardLink(data.card)}.`,
  ),

  addAttachmentToCard: makeDescriber(
    { data: z.object({ card, attachment: z.object({ name: text, url: optional(url) }) }) },
    ({ data: { attachment, card } }) =>
      `attached ${link(attachment.name, attachment.url)} to ${cardLink(card)}.`,
  ),

  addChecklistToCard: makeDescriber(
    { data: z.object({ card, checklist: z.object({ name: text }) }) },
    ({ data: { card, checklist } }) => `added the checklist ${bold(checklist.name)} to ${cardLink(card)}.`,
  ),

  commentCard: makeDescriber({ data: z.object({ card, text }) }, ({ data }) =>
    paragraphs(`commented on ${cardLink(data.card)}:`, quote(data.text)),
  ),

  updateCheckItemStateOnCard: makeDescriber(
    {
      data: z.object({
        card,
        checklist: optional(z.object({ name: text })),
        checkItem: z.object({ name: text, state: z.enum(['complete', 'incomplete']) }),
      }),
    },
    ({ data: { card, checkItem, checklist } }) => {
      const verb = checkItem.state === 'complete' ? 'checked' : 'unchecked'
      const checklistText = checklist ? ` in the checklist ${bold(checklist.name)}` : ''
      return `${verb} ${bold(checkItem.name)}${checklistText} of ${cardLink(card)}.`
    },
  ),
} satisfies Record<string, Describer>

/** Formats a label, which has a colour, a name or both. */
function formatLabel({ value, text }: { value?: string | undefined; text?: string | undefined }): string {
  const words = [value && line(replaceUnderscores(value)), 'label', text && bold(text)]
    .filter(Boolean)
    .join(' ')
  return `${text ? 'the' : 'a'} ${words}`
}
