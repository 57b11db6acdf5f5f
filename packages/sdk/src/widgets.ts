import type { ChoicesForm, Message, Submessage, UserId } from '@oxbow/contract'
import { readChoicesForm, readJson, readPollAction, readPollStart, readTodoAction } from './widget-content.ts'

export interface PollOption {
  /** Identifies the option in votes. */
  key: string
  text: string
  /** Ids of the accounts that vote for the option. */
  voters: readonly UserId[]
}

export interface Poll {
  type: 'poll'
  question: string
  /** Options, oldest first. */
  options: readonly PollOption[]
}

export interface Task {
  /** Identifies the task in `strike` actions. */
  key: string
  text: string
  description: string
  isCompleted: boolean
}

export interface TodoList {
  type: 'todo'
  /** Tasks, oldest first. */
  tasks: readonly Task[]
}

export type Widget = Poll | TodoList | ({ type: 'zform' } & Pick<ChoicesForm, 'heading' | 'choices'>)

/**
 * Returns the poll, to-do list or form that a message shows, with all votes, options and tasks.
 * Returns undefined if the message has none, or one of an unknown type. The result depends only on
 * the set of submessages, so that all clients with the same submessages show the same widget. Invalid
 * submessages are ignored.
 */
export function readWidget({
  sender_id,
  submessages,
}: Pick<Message, 'sender_id' | 'submessages'>): Widget | undefined {
  const [start, ...later] = submessages.toSorted((a, b) => a.id - b.id)
  // Only the sender of a message can turn it into a widget.
  if (start?.msg_type !== 'widget' || start.sender_id !== sender_id) return undefined
  const { widget_type, extra_data } = readStart(start)
  const actions = later.filter(({ msg_type }) => msg_type === 'widget')
  if (widget_type === 'poll') return foldPoll(sender_id, extra_data, actions)
  if (widget_type === 'todo') return foldTodoList(actions)
  if (widget_type === 'zform') return readForm(extra_data)
  return undefined
}

function foldPoll(author: UserId, extra_data: unknown, actions: readonly Submessage[]): Poll {
  const start = readPollStart(extra_data)
  let question = start?.question ?? ''
  const options = new Map<string, { text: string; voters: Set<UserId> }>()
  const addOption = (key: string, text: string) => options.set(key, { text, voters: new Set() })
  for (const [index, text] of (start?.options ?? []).entries()) addOption(`canned,${index}`, text)
  for (const { sender_id, content } of actions) {
    const action = readPollAction(content)
    if (action?.type === 'vote') {
      const voters = options.get(action.key)?.voters
      if (action.vote === 1) voters?.add(sender_id)
      else voters?.delete(sender_id)
    }
    if (action?.type === 'new_option') addOption(`${sender_id},${action.idx}`, action.option)
    if (action?.type === 'question' && sender_id === author) question = action.question
  }
  return {
    type: 'poll',
    question,
    options: [...options].map(([key, { text, voters }]) => ({
      key,
      text,
      voters: [...voters].sort((a, b) => a - b),
    })),
  }
}

function foldTodoList(actions: readonly Submessage[]): TodoList {
  const tasks = new Map<string, Task>()
  const names = new Set<string>()
  for (const { sender_id, content } of actions) {
    const action = readTodoAction(content)
    if (action?.type === 'new_task' && !names.has(action.task)) {
      const { key: index, task: text, desc: description, completed: isCompleted } = action
      const key = `${index},${sender_id}`
      const replaced = tasks.get(key)
      if (replaced) names.delete(replaced.text)
      names.add(text)
      tasks.set(key, { key, text, description, isCompleted })
    }
    const struck = action?.type === 'strike' ? tasks.get(action.key) : undefined
    if (struck) tasks.set(struck.key, { ...struck, isCompleted: !struck.isCompleted })
  }
  return { type: 'todo', tasks: [...tasks.values()] }
}

function readForm(extra_data: unknown): Widget | undefined {
  const form = readChoicesForm(extra_data)
  return form && { type: 'zform', heading: form.heading, choices: form.choices }
}

function readStart({ content }: Submessage): { widget_type?: unknown; extra_data?: unknown } {
  const start = readJson(content)
  return typeof start === 'object' && start !== null ? start : {}
}
