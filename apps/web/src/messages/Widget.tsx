import './Widget.css'
import { type Poll, readWidget, type TodoList } from '@oxbow/sdk/widgets'
import type { WindowMessage } from '@oxbow/sdk/windows'
import { useState } from 'preact/hooks'
import { client } from '../client/client.ts'
import { formatList } from '../client/formats/dates.ts'
import { nameOf } from '../client/people/names.ts'
import { ownId } from '../client/store.ts'
import { Body } from '../message-text/Body.tsx'
import { readRefusal } from '../text/refusal.ts'
import { t } from '../text/t.ts'
import { Icon } from '../ui/Icon.tsx'

/** A poll or a to-do list, or a note that the client does not support the widget. */
export function Widget({ message, part }: { message: WindowMessage; part: string }) {
  const widget = readWidget(message as never)
  if (widget?.type === 'poll') return <PollBox message={message} poll={widget} part={part} />
  if (widget?.type === 'todo') return <TodoBox message={message} list={widget} part={part} />
  return (
    <div id={part}>
      <Body html={message.content} />
      <p class="Widget-unknown">{t('widget.unknown')}</p>
    </div>
  )
}

function PollBox({ message, poll, part }: { message: WindowMessage; poll: Poll; part: string }) {
  const [error, setError] = useState('')
  const people = new Set(poll.options.flatMap(({ voters }) => voters))
  const maxVotes = Math.max(1, ...poll.options.map(({ voters }) => voters.length))
  return (
    <section class="Widget" id={part} aria-label={t('widget.poll')}>
      <p class="Widget-title">{poll.question || t('widget.no_question')}</p>
      <ul class="Widget-list">
        {poll.options.map(({ key, text, voters }) => {
          const isChosen = voters.some((voter) => voter === ownId.value)
          return (
            <li key={key}>
              <button
                type="button"
                class="Widget-option"
                aria-pressed={isChosen}
                style={{ '--share': voters.length / maxVotes }}
                title={formatList(voters.map(nameOf))}
                onClick={() => void vote(message, key, isChosen ? -1 : 1).then(setError)}
              >
                <span class="Widget-check" aria-hidden="true">
                  {isChosen && <Icon name="check" />}
                </span>
                <span class="Widget-text" dir="auto">
                  {text}
                </span>
                <span class="Widget-count">
                  <span aria-hidden="true">{voters.length}</span>
                  <span class="Spoken">{t('widget.votes', { count: voters.length })}</span>
                </span>
              </button>
            </li>
          )
        })}
      </ul>
      <p class="Widget-note">{t('widget.voters', { count: people.size })}</p>
      {error && <p class="Widget-error">{error}</p>}
    </section>
  )
}

function TodoBox({ message, list, part }: { message: WindowMessage; list: TodoList; part: string }) {
  const [error, setError] = useState('')
  const done = list.tasks.filter(({ isCompleted }) => isCompleted).length
  return (
    <section class="Widget" id={part} aria-label={t('widget.todo')}>
      <p class="Widget-title">{t('widget.todo')}</p>
      <ul class="Widget-list">
        {list.tasks.map(({ key, text, description, isCompleted }) => (
          <li key={key}>
            <label class="Widget-task" data-done={isCompleted || undefined}>
              <input
                type="checkbox"
                checked={isCompleted}
                onChange={() => void strikeTask(message, key).then(setError)}
              />
              <span dir="auto">
                {text}
                {description && <span class="Widget-description">{description}</span>}
              </span>
            </label>
          </li>
        ))}
      </ul>
      <p class="Widget-note">{t('widget.done', { done: String(done), count: list.tasks.length })}</p>
      {error && <p class="Widget-error">{error}</p>}
    </section>
  )
}

/** Votes for an option of a poll, or withdraws the vote. Returns the reason if it was refused. */
const vote = (message: WindowMessage, key: string, value: 1 | -1): Promise<string> =>
  act(message, { type: 'vote', key, vote: value })

/** Completes a task of a to-do list, or reopens it. Returns the reason if it was refused. */
const strikeTask = (message: WindowMessage, key: string): Promise<string> =>
  act(message, { type: 'strike', key })

async function act({ id }: WindowMessage, action: object): Promise<string> {
  try {
    await client.messages.addSubmessage({
      message_id: id,
      msg_type: 'widget',
      content: JSON.stringify(action),
    })
    return ''
  } catch (error) {
    return readRefusal(error).reason
  }
}
