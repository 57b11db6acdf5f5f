import { z } from 'zod'
import { branchCreatedMessage, branchRemovedMessage } from '../../git/branches.ts'
import { shortHash } from '../../git/refs.ts'
import { tagPushedMessage, tagRemovedMessage } from '../../git/tags.ts'
import { branchTopic, repositoryTopic } from '../../git/topics.ts'
import { code, ignore, line, link, read, type Said, say, text, unsupported } from '../../writing.ts'
import { inRepository, type Translate } from './delivery.ts'

const change = z.object({
  type: text,
  toHash: text,
  ref: z.object({ type: text, displayId: text }),
})
type Change = z.output<typeof change>

const pushEvent = z.object({ ...inRepository, changes: z.array(change) })
type PushEvent = z.output<typeof pushEvent>

export const refsChanged: Translate = ({ payload, options }) => {
  const event = read(pushEvent, payload)
  const listed = event.changes.filter(
    ({ ref }) => ref.type !== 'BRANCH' || options.branches.has(ref.displayId),
  )
  const said: Said[] = []
  for (const change of listed) {
    const told = tell(event, change)
    if (told === undefined) return unsupported(`repo:refs_changed ${change.ref.type} ${change.type}`)
    said.push(told)
  }
  return said.length === 0 ? ignore() : say(...said)
}

function tell({ actor, repository }: PushEvent, { type, toHash, ref }: Change): Said | undefined {
  const { displayId: name } = ref
  const told = {
    BRANCH: {
      ADD: () => branchCreatedMessage({ actor, branch: name }),
      UPDATE: () => `${line(actor)} pushed to branch ${line(name)}. Head is now ${head(repository, toHash)}.`,
      DELETE: () => branchRemovedMessage({ actor, branch: name }),
    },
    TAG: {
      ADD: () => tagPushedMessage({ actor, tag: name }),
      UPDATE: () => `${line(actor)} moved tag ${line(name)} to ${head(repository, toHash)}.`,
      DELETE: () => tagRemovedMessage({ actor, tag: name }),
    },
  }
  if (ref.type !== 'BRANCH' && ref.type !== 'TAG') return undefined
  if (type !== 'ADD' && type !== 'UPDATE' && type !== 'DELETE') return undefined
  const topic = ref.type === 'BRANCH' ? branchTopic(repository.name, name) : repositoryTopic(repository.name)
  return { topic, content: told[ref.type][type]() }
}

function head({ links }: PushEvent['repository'], hash: string): string {
  return links === undefined ? code(shortHash(hash)) : link(shortHash(hash), `${links}/commits/${hash}`)
}
