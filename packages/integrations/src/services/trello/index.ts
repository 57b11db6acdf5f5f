import { z } from 'zod'
import {
  anything,
  id,
  ignore,
  integration,
  line,
  optional,
  read,
  say,
  text,
  unsupported,
} from '../../writing.ts'
import type { Teller } from './action.ts'
import { boardActions } from './board.ts'
import { cardActions } from './card.ts'
import { tellUpdate } from './update-card.ts'

const tellers: Readonly<Record<string, Teller>> = { ...cardActions, updateCard: tellUpdate, ...boardActions }

const wherever = z.object({
  action: z.object({
    memberCreator: z.object({ fullName: text }),
    data: z.object({ board: z.object({ name: text }) }),
  }),
})

export const service = integration({
  title: 'Trello',
  client: 'Trello',
  category: 'Project management',
  answersHead: true,
  events: Object.keys(tellers),
  // Every webhook gets the same action id, and Trello retries until it gets an answer.
  deliveryId: ({ webhook, action }) => webhook && action.id && `${webhook.id}/${action.id}`,
  payload: anything.extend({
    webhook: optional(z.object({ id })),
    action: anything.extend({ id: optional(id), type: text }),
  }),
  translate({ payload }) {
    const { type } = payload.action
    if (type === 'createCheckItem') return ignore()
    const told = Object.hasOwn(tellers, type) ? tellers[type]?.(payload) : undefined
    if (told === undefined) return unsupported(type)
    if (told === 'ignored') return ignore()
    const { memberCreator, data } = read(wherever, payload).action
    return say({ event: type, topic: data.board.name, content: `${line(memberCreator.fullName)} ${told}` })
  },
})
