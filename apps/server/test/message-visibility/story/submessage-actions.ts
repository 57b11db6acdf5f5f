import type { MessageId } from '@oxbow/contract'
import { addSubmessage, canAddSubmessage } from '../model/changes.ts'
import { isChangeable, isReadable, type Message, type Model } from '../model/model.ts'
import { pickMessage, randomAction, someIndex, someone } from './random-action.ts'

const add = randomAction(
  'add to',
  { by: someone, message: someIndex },
  ({ by, message: index }, { model, server, serial }) => {
    const canTry = (message: Message) => isReadable(model, by, message) && canAddSubmessage(message, by)
    const message = pickMessage(model, index, canTry)
    if (!message) return undefined
    const { id } = message
    const content = `{"serial":${serial}}`
    const find = ({ messages }: Model) => messages.get(id)
    return {
      label: `${id} ${content}`,
      by,
      call: ({ messages }) =>
        messages.addSubmessage({ message_id: id as MessageId, msg_type: 'note', content }),
      effect: {
        isIn: (transaction) =>
          transaction.some(
            ({ type, event }) =>
              type === 'submessage' && event.content === content && event.sender_id === server.idOf(by),
          ),
        isPossible(model) {
          const target = find(model)
          return target !== undefined && isChangeable(model, by, target) && canAddSubmessage(target, by)
        },
        apply(model) {
          const target = find(model)
          if (target) addSubmessage(model, target, by, content)
        },
      },
    }
  },
)

export const submessageActions = [{ arbitrary: add, weight: 4 }]
