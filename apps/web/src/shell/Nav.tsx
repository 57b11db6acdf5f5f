import './Nav.css'
import { listDrafts } from '../data/drafts.ts'
import { unsent } from '../data/outbox.ts'
import { namesOf, peopleById } from '../data/people.ts'
import { privateRows } from '../data/private-list.ts'
import { starredMessages } from '../data/store.ts'
import { streamGroups } from '../data/streams.ts'
import { inboxCount, mentionCount } from '../data/unread.ts'
import { newMessage } from '../data/write-dialog.ts'
import { filterRoute, privateRoute } from '../router/route.ts'
import { hasView } from '../router/views.tsx'
import { t } from '../text/t.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Button } from '../ui/Button.tsx'
import { Count } from '../ui/Count.tsx'
import { Icon } from '../ui/Icon.tsx'
import { NavMenus } from './NavMenus.tsx'
import { NavRow } from './NavRow.tsx'
import { NavStream } from './NavStream.tsx'
import { isPhone } from './panes.ts'

/** The nav: organization and account, the views over everything, private conversations, streams. */
export function Nav() {
  return (
    <div class="Nav">
      <NavMenus />
      <Button
        icon="square-pen"
        onClick={() => {
          newMessage.value = 'stream'
        }}
      >
        {t('write.new')}
      </Button>
      <Views />
      <Private />
      <Streams />
    </div>
  )
}

function Views() {
  const unread = inboxCount.value
  const mentioned = mentionCount.value
  return (
    <ul class="Nav-list">
      <li>
        <NavRow
          to={{ view: 'inbox' }}
          alsoAt={isPhone.value ? ['unknown'] : ['home', 'unknown']}
          mark={<Icon name="inbox" />}
          look={unread > 0 ? 'strong' : 'usual'}
          counts={<Count count={unread} label={t('nav.unread', { count: unread })} />}
        >
          {t('nav.inbox')}
        </NavRow>
      </li>
      <li>
        <NavRow
          to={filterRoute('is', 'mentioned')}
          mark={<Icon name="at-sign" />}
          counts={<Count count={mentioned} label={t('nav.unread', { count: mentioned })} look="about-you" />}
        >
          {t('nav.mentions')}
        </NavRow>
      </li>
      {hasView('recent') && (
        <li>
          <NavRow to={{ view: 'recent' }} mark={<Icon name="clock" />}>
            {t('nav.recent')}
          </NavRow>
        </li>
      )}
      <li>
        <NavRow
          to={filterRoute('is', 'starred')}
          mark={<Icon name="star" />}
          counts={<PlainCount count={starredMessages.value?.length ?? 0} />}
        >
          {t('nav.starred')}
        </NavRow>
      </li>
      <li>
        <NavRow
          to={{ view: 'drafts' }}
          mark={<Icon name="pencil" />}
          counts={<PlainCount count={listDrafts.value.length + unsent.value.length} />}
        >
          {t('nav.drafts')}
        </NavRow>
      </li>
      <li>
        <NavRow to={filterRoute('in', 'home')} mark={<Icon name="messages-square" />}>
          {t('nav.all_messages')}
        </NavRow>
      </li>
    </ul>
  )
}

/** A number that is no unread count. */
const PlainCount = ({ count }: { count: number }) => (
  <Count count={count} label={String(count)} look="muted" />
)

function Private() {
  const rows = privateRows.value
  return (
    <section class="Nav-section" aria-labelledby="nav-private">
      <div class="Nav-head">
        <h2 class="Heading" id="nav-private">
          {t('nav.private')}
        </h2>
        <a class="IconButton" href="#narrow/is/private" aria-label={t('nav.all_private')}>
          <Icon name="message-square" />
        </a>
      </div>
      <ul class="Nav-list">
        {rows.map(({ user_ids, unread }) => {
          const names = namesOf(user_ids)
          const count = unread?.ids.length ?? 0
          return (
            <li key={user_ids.join()}>
              <NavRow
                to={privateRoute(user_ids, names.length > 1 ? 'group' : (names[0] ?? ''))}
                mark={<PrivateMark user_ids={user_ids} />}
                look={count > 0 ? 'strong' : 'usual'}
                counts={<Count count={count} label={t('nav.unread', { count })} look="about-you" />}
              >
                <bdi>{names.join(', ')}</bdi>
              </NavRow>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function PrivateMark({ user_ids: [first, second] }: { user_ids: readonly number[] }) {
  const person = peopleById.value.get(first ?? 0)
  if (second !== undefined || !person) return <Icon name="users" />
  return <Avatar url={person.avatar_url} name={person.full_name} size="s" />
}

function Streams() {
  const { pinned, active, inactive } = streamGroups.value
  const isEmpty = pinned.length + active.length + inactive.length === 0
  return (
    <section class="Nav-section" aria-labelledby="nav-streams">
      <div class="Nav-head">
        <h2 class="Heading" id="nav-streams">
          {t('nav.streams')}
        </h2>
        {hasView('streams') && (
          <a class="IconButton" href="#streams/all" aria-label={t('nav.browse')}>
            <Icon name="plus" />
          </a>
        )}
      </div>
      {isEmpty && <p class="Nav-hint">{t('nav.no_streams')}</p>}
      <ul class="Nav-list">
        {[...pinned, ...active].map((stream) => (
          <NavStream key={stream.stream_id} stream={stream} />
        ))}
      </ul>
      {inactive.length > 0 && (
        <details class="Nav-inactive">
          <summary>{t('nav.inactive', { count: inactive.length })}</summary>
          <ul class="Nav-list">
            {inactive.map((stream) => (
              <NavStream key={stream.stream_id} stream={stream} />
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}
