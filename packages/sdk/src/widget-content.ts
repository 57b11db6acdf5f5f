import type { ChoicesForm, PollAction, PollStart, TodoAction } from '@oxbow/contract'

// These checks repeat the contract's schemas without zod, which would be most of a browser's
// bundle. A test compares both.

type Check = (value: unknown) => boolean
type Fields = Readonly<Record<string, Check>>

const isText: Check = (value) => typeof value === 'string'
const isBoolean: Check = (value) => typeof value === 'boolean'
const isIndex: Check = (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 1_000
const isVote: Check = (value) => value === 1 || value === -1
const is =
  (expected: string): Check =>
  (value) =>
    value === expected
const isListOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)

function hasFields(value: unknown, fields: Fields): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.entries(fields).every(([name, check]) => check((value as Record<string, unknown>)[name]))
}

const pollActions: Record<PollAction['type'], Fields> = {
  vote: { type: isText, key: isText, vote: isVote },
  new_option: { type: isText, idx: isIndex, option: isText },
  question: { type: isText, question: isText },
}
const todoActions: Record<TodoAction['type'], Fields> = {
  new_task: { type: isText, key: isIndex, task: isText, desc: isText, completed: isBoolean },
  strike: { type: isText, key: isText },
}
const choiceFields = { short_name: isText, long_name: isText, reply: isText }
const isChoice: Check = (value) => hasFields(value, choiceFields)

/** Returns the `extra_data` of a poll, or undefined if the value is invalid. */
export function readPollStart(value: unknown): PollStart | undefined {
  const isStart = hasFields(value, { question: isText, options: isListOf(isText) })
  return isStart ? (value as unknown as PollStart) : undefined
}

/** Returns the `extra_data` of a form without other fields, or undefined if the value is invalid. */
export function readChoicesForm(value: unknown): ChoicesForm | undefined {
  if (!hasFields(value, { type: is('choices'), heading: isText, choices: isListOf(isChoice) }))
    return undefined
  const { heading, choices } = value as unknown as ChoicesForm
  return {
    type: 'choices',
    heading,
    choices: choices.map(({ short_name, long_name, reply }) => ({ short_name, long_name, reply })),
  }
}

/** Returns the poll action in the content of a submessage, or undefined if there is none. */
export const readPollAction = (content: string): PollAction | undefined => readAction(pollActions, content)

/** Returns the to-do list action in the content of a submessage, or undefined if there is none. */
export const readTodoAction = (content: string): TodoAction | undefined => readAction(todoActions, content)

function readAction<Action>(actions: Readonly<Record<string, Fields>>, content: string): Action | undefined {
  const action = readJson(content) as { type?: unknown } | null | undefined
  const type = typeof action?.type === 'string' ? action.type : ''
  const fields = Object.hasOwn(actions, type) ? actions[type] : undefined
  if (!fields || !hasFields(action, fields)) return undefined
  return Object.keys(action).every((name) => Object.hasOwn(fields, name)) ? (action as Action) : undefined
}

export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
