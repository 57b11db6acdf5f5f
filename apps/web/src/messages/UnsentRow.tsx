import './UnsentRow.css'
import { UnsentActions } from '../composer/UnsentActions.tsx'
import { avatarOf, nameOf } from '../data/names.ts'
import type { OutboxEntry } from '../data/outbox.ts'
import { ownId } from '../data/store.ts'
import { formatTime } from '../text/dates.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Body } from './Body.tsx'

/** A message of the reader that the server has not confirmed, below all others. */
export function UnsentRow({ entry }: { entry: OutboxEntry }) {
  const { html, state, created_at } = entry
  const own = ownId.value ?? 0
  return (
    <li class="Row UnsentRow" data-head data-state={state}>
      <article class="Row-message">
        <header class="RowHead">
          <Avatar url={avatarOf(own)} name={nameOf(own)} size="l" />
          <span class="RowHead-name">
            <bdi>{nameOf(own)}</bdi>
          </span>
          <span class="Row-time">{formatTime(created_at)}</span>
        </header>
        <div class="Row-content">
          <Body html={html} />
          <UnsentActions entry={entry} />
        </div>
      </article>
    </li>
  )
}
