import { z } from 'zod'
import { branchCreatedMessage, branchRemovedMessage } from '../../git/branches.ts'
import { shortHash } from '../../git/refs.ts'
import { tagPushedMessage, tagRemovedMessage } from '../../git/tags.ts'
import { branchTopic, repositoryTopic } from '../../git/topics.ts'
import {
  code,
  ignore,
  line,
  link,
  type OutgoingMessage,
  postMessages,
  read,
  text,
  unsupported,
} from '../../writing.ts'
import { repositoryFields, type Translator } from './delivery.ts'

const change = z.object({
  type: text,
  toHash: text,
  ref: z.object({ type: text, displayId: text }),
})
type Change = z.output<typeof change>

const pushEvent = z.object({ ...repositoryFields, changes: z.array(change) })
type PushEvent = z.output<typeof pushEvent>

export const refsChanged: Translator = ({ payload, options }) => {
  const event = read(pushEvent, payload)
  const listed = event.changes.filter(
    ({ ref }) => ref.type !== 'BRANCH' || options.branches.has(ref.displayId),
  )
  const messages: OutgoingMessage[] = []
  for (const change of listed) {
    const message = translateChange(event, change)
    if (message === undefined) return unsupported(`repo:refs_changed ${change.ref.type} ${change.type}`)
    messages.push(message)
  }
  return messages.length === 0 ? ignore() : postMessages(...messages)
}

function translateChange(
  { actor, repository }: PushEvent,
  { type, toHash, ref }: Change,
): OutgoingMessage | undefined {
  const { displayId: name } = ref
  const writers = {
    BRANCH: {
      ADD: () => branchCreatedMessage({ actor, branch: name }),
      UPDATE: () =>
        `${line(actor)} pushed to branch ${line(name)}. Head is now ${linkHead(repository, toHash)}.`,
      DELETE: () => branchRemovedMessage({ actor, branch: name }),
    },
    TAG: {
      ADD: () => tagPushedMessage({ actor, tag: name }),
      UPDATE: () => `${line(actor)} moved tag ${line(name)} to ${linkHead(repository, toHash)}.`,
      DELETE: () => tagRemovedMessage({ actor, tag: name }),
    },
  }
  if (ref.type !== 'BRANCH' && ref.type !== 'TAG') return undefined
  if (type !== 'ADD' && type !== 'UPDATE' && type !== 'DELETE') return undefined
  const topic = ref.type === 'BRANCH' ? branchTopic(repository.name, name) : repositoryTopic(repository.name)
  return { topic, content: writers[ref.type][type]() }
}

function linkHead({ links }: PushEvent['repository'], hash: string): string {
  return links === undefined ? code(shortHash(hash)) : link(shortHash(hash), `${links}/commits/${hash}`)
}
