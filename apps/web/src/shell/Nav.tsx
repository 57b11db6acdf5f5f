import './Nav.css'
import type { UserId } from '@oxbow/contract'
import { privateRows } from '../client/conversations/private-list.ts'
import { followedCount, inboxCount, mentionCount } from '../client/conversations/unread.ts'
import { openJump, showDialog } from '../client/open-dialogs.ts'
import { isPersonMuted } from '../client/people/muted-people.ts'
import { namesOf } from '../client/people/people.ts'
import { hasView } from '../client/route/has-route.ts'
import { filterRoute, privateRoute } from '../client/route/route.ts'
import { countsStarred, starredMessages } from '../client/store.ts'
import { listDrafts } from '../client/writing/drafts.ts'
import { unsent } from '../client/writing/outbox.ts'
import { isPhone } from '../frame/panes.ts'
import { PersonFace } from '../people/PersonFace.tsx'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { Count } from '../ui/Count.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Keys } from '../ui/Keys.tsx'
import { NotificationLine, UpdateLine } from './NavLines.tsx'
import { NavMenus } from './NavMenus.tsx'
import { NavRow } from './NavRow.tsx'
import { NavSections } from './NavSections.tsx'
import { OwnStatus } from './OwnStatus.tsx'

/** The nav: organization and account, global views, private conversations, streams. */
export function Nav() {
  return (
    <div class="Nav">
      <NavMenus />
      <OwnStatus />
      <UpdateLine />
      <JumpButton />
      <NotificationLine />
      <Button
        icon="square-pen"
        onClick={() => {
          showDialog({ kind: 'new message', to: 'stream' })
        }}
      >
        {t('write.new')}
      </Button>
      <Views />
      <Private />
      <NavSections />
    </div>
  )
}

/** A button that opens the jump dialog, and looks like the dialog's field. */
function JumpButton() {
  return (
    <button type="button" class="Nav-jump" aria-keyshortcuts="Control+K Meta+K" onClick={openJump}>
      <Icon name="search" />
      <span class="Nav-jump-text">{t('jump.open')}</span>
      <Keys keys="Mod+K" />
    </button>
  )
}

function Views() {
  const unread = inboxCount.value
  const mentioned = mentionCount.value
  const followed = followedCount.value
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
      <li>
        <NavRow
          to={filterRoute('is', 'followed')}
          mark={<Icon name="bell-ring" />}
          counts={<Count count={followed} label={t('nav.unread', { count: followed })} />}
        >
          {t('nav.followed')}
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
          counts={<PlainCount count={countsStarred.value ? (starredMessages.value?.length ?? 0) : 0} />}
        >
          {t('nav.starred')}
        </NavRow>
      </li>
      <li>
        <NavRow
          to={{ view: 'drafts' }}
          alsoAt={['scheduled']}
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

/** A count of something other than unread messages. */
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
          const isMuted = user_ids.every(isPersonMuted)
          return (
            <li key={user_ids.join()}>
              <NavRow
                to={privateRoute(user_ids, names.length > 1 ? 'group' : (names[0] ?? ''))}
                mark={<PrivateMark user_ids={user_ids} />}
                look={isMuted ? 'muted' : count > 0 ? 'strong' : 'usual'}
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

function PrivateMark({ user_ids: [first, second] }: { user_ids: readonly UserId[] }) {
  if (first === undefined || second !== undefined) return <Icon name="users" />
  return <PersonFace user_id={first} size="s" />
}
