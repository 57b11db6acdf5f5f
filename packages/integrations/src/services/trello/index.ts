import { z } from 'zod'
import {
  anything,
  id,
  ignore,
  integration,
  line,
  optional,
  postMessages,
  read,
  text,
  unsupported,
} from '../../writing.ts'
import type { Describer } from './action.ts'
import { boardActions } from './board.ts'
import { cardActions } from './card.ts'
import { describeUpdate } from './update-card.ts'

const describers: Readonly<Record<string, Describer>> = {
  ...cardActions,
  updateCard: describeUpdate,
  ...boardActions,
}

const actionPayload = z.object({
  action: z.object({
    memberCreator: z.object({ fullName: text }),
    data: z.object({ board: z.object({ name: text }) }),
  }),
})

export const service = integration({
  title: 'Trello',
  client: 'Trello',
  category: 'Project management',
  acceptsHead: true,
  events: Object.keys(describers),
  // An action has the same id for all webhooks. Trello retries until it gets a response.
  deliveryId: ({ webhook, action }) => webhook && action.id && `${webhook.id}/${action.id}`,
  payload: anything.extend({
    webhook: optional(z.object({ id })),
    action: anything.extend({ id: optional(id), type: text }),
  }),
  translate({ payload }) {
    const { type } = payload.action
    if (type === 'createCheckItem') return ignore()
    const actionText = Object.hasOwn(describers, type) ? describers[type]?.(payload) : undefined
    if (actionText === undefined) return unsupported(type)
    if (actionText === 'ignored') return ignore()
    const { memberCreator, data } = read(actionPayload, payload).action
    return postMessages({
      event: type,
      topic: data.board.name,
      content: `${line(memberCreator.fullName)} ${actionText}`,
    })
  },
})
