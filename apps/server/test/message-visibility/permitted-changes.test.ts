import { test } from 'node:test'
import { Role } from '@oxbow/contract'
import { modelOptions } from '@oxbow/testkit/seed'
import { bySize } from '@oxbow/testkit/size'
import fc from 'fast-check'
import {
  addMessage,
  addSubmessage,
  archive,
  edit,
  join,
  leave,
  type Mode,
  move,
  react,
  reactivate,
} from './model/changes.ts'
import {
  isChangeable,
  isPublic,
  type Kind,
  type Message,
  type Model,
  type Name,
  names,
  noChanges,
  streamOf,
  type Text,
} from './model/model.ts'
import { assertHidesNothing, isMovable, type MayChange } from './model/permitted-changes.ts'

const numRuns = bySize({ gate: 1_000, long: 50_000 })

test(`a permitted change hides a message from nobody who could make that change: ${numRuns} stories`, () => {
  fc.assert(
    fc.property(fc.array(anyStep, { minLength: 5, maxLength: 30, size: 'max' }), (steps) => {
      const model = startModel()
      for (const step of steps) step.apply(model)
    }),
    { numRuns, ...modelOptions },
  )
})

interface Step {
  apply(model: Model): void
  toString(): string
}

function step<Shape extends object>(
  kind: string,
  shape: { [Key in keyof Shape]: fc.Arbitrary<Shape[Key]> },
  apply: (model: Model, drawn: Shape) => void,
): fc.Arbitrary<Step> {
  return (fc.record(shape) as unknown as fc.Arbitrary<Shape>).map((drawn) => ({
    apply: (model) => apply(model, drawn),
    toString: () => `${kind} ${JSON.stringify(drawn)}`,
  }))
}

/** A change of one message, which is made only if the user may make it. */
function change<Shape extends { by: Name; index: number }>(
  kind: string,
  shape: { [Key in keyof Shape]: fc.Arbitrary<Shape[Key]> },
  apply: (model: Model, message: Message, drawn: Shape) => void,
  mayChange: MayChange = isChangeable,
): fc.Arbitrary<Step> {
  return step<Shape>(kind, shape, (model, drawn) => {
    const messages = [...model.messages.values()]
    const message = messages[messages.length - 1 - drawn.index]
    if (!message || !model.accounts[drawn.by].isActive || !mayChange(model, drawn.by, message)) return
    assertHidesNothing(model, mayChange, () => apply(model, message, drawn))
  })
}

const streamIds = [1, 2, 3, 4]
const kinds: Kind[] = ['public', 'public', 'shared', 'protected']
const by = fc.constantFrom(...names)
const people = fc.uniqueArray(by, { minLength: 1, maxLength: 4 })
const stream = fc.constantFrom(...streamIds)
const index = fc.nat({ max: 5 })
const topic = fc.constantFrom('moles', 'weeds')
const mode = fc.constantFrom<Mode>('change_one', 'change_later', 'change_all')

const write = (content: string, mentions: readonly Name[] = []): Text => ({
  ...{ content, mentions, mentionsAll: false, hasLink: false, hasAlertWord: false, files: [] },
})

const send = step('send', { sender: by, stream, topic }, (model, { sender, stream, topic }) => {
  if (streamOf(model, stream).isArchived) return
  const id = model.messages.size + 1
  const text = write(`Note ${id}`, ['robin'])
  addMessage(model, { id, sender, to: { stream, topic }, text, claims: new Set(), isReadBySender: false })
})

const inUse = (model: Model, id: number, apply: () => void) => {
  if (!streamOf(model, id).isArchived) apply()
}

const anyStep = fc.oneof(
  { arbitrary: send, weight: 6 },
  {
    arbitrary: change('edit content', { by, index }, (model, message, drawn) =>
      edit(model, message, drawn.by, { text: write('Edited'), mode: 'change_one' }),
    ),
    weight: 4,
  },
  {
    arbitrary: change('edit topic', { by, index, topic, mode }, (model, message, { by, topic, mode }) => {
      if (!message.people) edit(model, message, by, { topic, mode })
    }),
    weight: 4,
  },
  {
    arbitrary: change(
      'move',
      { by, index, stream, topic, mode },
      (model, message, { by, stream, topic, mode }) => {
        if (isPublic(streamOf(model, stream)) && stream !== message.streamId)
          move(model, message, by, stream, topic, mode)
      },
      isMovable,
    ),
    weight: 3,
  },
  change('react', { by, index }, (model, message, { by }) => react(model, message, by, 'tada')),
  change('add to', { by, index }, (model, message, { by }) => addSubmessage(model, message, by, 'Done')),
  {
    arbitrary: step('join', { stream, people }, (model, { stream, people }) =>
      inUse(model, stream, () => join(model, stream, people)),
    ),
    weight: 3,
  },
  {
    arbitrary: step('leave', { stream, people }, (model, { stream, people }) =>
      leave(
        model,
        stream,
        people.filter((name) => streamOf(model, stream).members.has(name)),
      ),
    ),
    weight: 2,
  },
  {
    arbitrary: step('archive', { stream }, (model, { stream }) =>
      inUse(model, stream, () => archive(model, stream)),
    ),
    weight: 2,
  },
  step('change privacy', { stream, kind: fc.constantFrom(...kinds) }, (model, { stream, kind }) =>
    inUse(model, stream, () => {
      streamOf(model, stream).kind = kind
    }),
  ),
  step(
    'change role',
    { by, role: fc.constantFrom(Role.guest, Role.member, Role.administrator) },
    (model, { by, role }) => {
      model.accounts[by].role = role
    },
  ),
  step('deactivate', { by }, ({ accounts }, { by }) => {
    accounts[by].isActive = false
  }),
  step('reactivate', { by }, (model, { by }) => {
    if (!model.accounts[by].isActive) reactivate(model, by)
  }),
)

function startModel(): Model {
  const accounts = Object.fromEntries(names.map((name) => [name, { role: Role.member, isActive: true }]))
  const streams: Model['streams'] = new Map()
  for (const [position, id] of streamIds.entries()) {
    const kind = kinds[position] as Kind
    const members = new Set(names.filter((_, place) => (place + position) % 3 !== 0))
    const [everMembers, lastLeavers] = [new Set(members), new Set<Name>()]
    streams.set(id, { id, name: `stream ${id}`, kind, isArchived: false, members, everMembers, lastLeavers })
  }
  return {
    accounts: accounts as Model['accounts'],
    streams,
    messages: new Map(),
    files: new Map(),
    expectedEvents: [],
    changes: noChanges(),
  }
}
