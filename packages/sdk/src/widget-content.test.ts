import assert from 'node:assert/strict'
import { test } from 'node:test'
import { choicesForm, pollActions, pollStart, todoActions } from '@oxbow/contract'
import fc from 'fast-check'
import { readChoicesForm, readPollAction, readPollStart, readTodoAction } from './widget-content.ts'

interface Schema {
  safeParse(value: unknown): { data?: unknown }
}

const value = fc.oneof(
  fc.constantFrom<unknown>(
    '',
    'Roses',
    '12,1',
    0,
    -0,
    1,
    -1,
    1.5,
    1_000,
    1_001,
    2 ** 60,
    null,
    true,
    false,
    [],
    {},
  ),
  fc.array(fc.constantFrom<unknown>('Roses', 3, null)),
)

/** Generates objects with the fields of a schema, some of which are missing, invalid or superfluous. */
const objectWith = (valid: Readonly<Record<string, unknown>>) =>
  fc
    .tuple(
      fc.record(
        Object.fromEntries(
          Object.entries(valid).map(([name, right]) => [
            name,
            fc.oneof({ weight: 6, arbitrary: fc.constant(right) }, value),
          ]),
        ),
        { requiredKeys: [] },
      ),
      fc.dictionary(fc.constantFrom('more', 'toString', 'key', 'constructor'), value, { maxKeys: 1 }),
      fc.integer({ min: 0, max: 3 }),
    )
    .map(([object, more, withMore]) => ({ ...valid, ...object, ...(withMore === 0 && more) }) as object)

const parseAction = (actions: Readonly<Record<string, Schema>>, action: { type?: unknown }) =>
  typeof action.type === 'string' && Object.hasOwn(actions, action.type)
    ? actions[action.type]?.safeParse(action).data
    : undefined

const check = (
  examples: fc.Arbitrary<object>,
  read: (given: object) => unknown,
  parse: (given: object) => unknown,
) =>
  fc.assert(
    fc.property(examples, (given) => {
      // Submessages are JSON, which has no undefined values.
      const sent = JSON.parse(JSON.stringify(given))
      assert.deepEqual(read(sent), parse(sent))
    }),
    { numRuns: 2_000 },
  )

test('actions of widgets are parsed like the schemas of the contract', () => {
  const polls = fc.oneof(
    objectWith({ type: 'vote', key: '12,1', vote: 1 }),
    objectWith({ type: 'new_option', idx: 1, option: 'Roses' }),
    objectWith({ type: 'question', question: 'Which?' }),
    objectWith({ type: 'toString' }),
  )
  check(
    polls,
    (action) => readPollAction(JSON.stringify(action)),
    (action) => parseAction(pollActions, action),
  )
  const todos = fc.oneof(
    objectWith({ type: 'new_task', key: 1, task: 'Prune', desc: '', completed: false }),
    objectWith({ type: 'strike', key: '1,12' }),
  )
  check(
    todos,
    (action) => readTodoAction(JSON.stringify(action)),
    (action) => parseAction(todoActions, action),
  )
})

test('the initial content of a widget is parsed like the schemas of the contract', () => {
  check(
    objectWith({ question: 'Which?', options: ['Roses', 'Tulips'] }),
    (start) => {
      const read = readPollStart(start)
      return read && { question: read.question, options: read.options }
    },
    (start) => pollStart.safeParse(start).data,
  )
  const choice = { short_name: 'A', long_name: 'Roses', reply: 'roses', more: 1 }
  const choices = fc.array(objectWith(choice), { maxLength: 2 })
  check(
    fc
      .tuple(objectWith({ type: 'choices', heading: 'Which?' }), choices)
      .map(([form, list]) => ({ choices: list, ...form })),
    readChoicesForm,
    (form) => choicesForm.safeParse(form).data,
  )
})
