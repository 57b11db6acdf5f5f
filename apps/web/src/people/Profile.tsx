import './Profile.css'
import type { UserId } from '@oxbow/contract'
import type { ComponentChildren } from 'preact'
import { ownBots } from '../client/account/own-bots.ts'
import { formatDate, formatList } from '../client/formats/dates.ts'
import { isPersonMuted } from '../client/people/muted-people.ts'
import { nameOf } from '../client/people/names.ts'
import { hasDirectory, peopleById } from '../client/people/people.ts'
import { detailsOf } from '../client/people/person-details.ts'
import { writeHash } from '../client/route/hash.ts'
import { route } from '../client/route/router.ts'
import { ownId, userGroups } from '../client/store.ts'
import { ViewFrame } from '../frame/ViewFrame.tsx'
import { t } from '../text/t.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Button } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Icon } from '../ui/Icon.tsx'
import { PersonFacts } from './PersonFacts.tsx'
import { routeOfMessages, routeToWrite, togglePersonMute } from './person-actions.ts'
import { listProfileValues } from './profile-values.ts'

/** The profile of one person. */
export function Profile() {
  if (route.value.view !== 'person') return null
  const { user_id } = route.value
  const person = peopleById.value.get(user_id)
  if (!person)
    return (
      <ViewFrame title={t('person.profile')}>
        {hasDirectory.value && (
          <Empty icon="user" title={t('person.unknown')} text={t('person.unknown_hint')}>
            <a href="#people">{t('people.title')}</a>
          </Empty>
        )}
      </ViewFrame>
    )
  return (
    <ViewFrame title={person.full_name} heading={<bdi>{person.full_name}</bdi>}>
      <div class="Profile" key={user_id}>
        <div class="Profile-head">
          <Avatar user_id={person.user_id} url={person.large_avatar_url} name={person.full_name} size="l" />
          <div class="Profile-words">
            <PersonFacts user_id={user_id} />
            <Actions user_id={user_id} isActive={person.is_active} />
          </div>
        </div>
        <Details user_id={user_id} />
      </div>
    </ViewFrame>
  )
}

function Actions({ user_id, isActive }: { user_id: UserId; isActive: boolean }) {
  const isMuted = isPersonMuted(user_id)
  return (
    <p class="Profile-actions">
      {isActive && (
        <a class="Button Button-primary" href={writeHash(routeToWrite(user_id))}>
          <Icon name="message-square" />
          {t('person.write')}
        </a>
      )}
      <a class="Button Button-quiet" href={writeHash(routeOfMessages(user_id))}>
        <Icon name="search" />
        {t('person.all_messages')}
      </a>
      {ownBots.value.some((bot) => bot.user_id === user_id) && (
        <a class="Button Button-quiet" href={writeHash({ view: 'bot', user_id, page: 'general' })}>
          <Icon name="settings" />
          {t('bots.manage')}
        </a>
      )}
      {user_id !== ownId.value && (
        <Button
          icon={isMuted ? 'volume-2' : 'bell-off'}
          onClick={() => void togglePersonMute(user_id, !isMuted)}
        >
          {isMuted ? t('person.unmute') : t('person.mute')}
        </Button>
      )}
    </p>
  )
}

function Details({ user_id }: { user_id: UserId }) {
  const details = detailsOf(user_id).value
  const groups = (userGroups.value ?? []).filter(({ members }) => members.includes(user_id))
  if (!details) return null
  return (
    <dl class="Profile-details">
      <Detail name={t('profile.email')}>
        <a href={`mailto:${details.delivery_email ?? details.email}`}>
          {details.delivery_email ?? details.email}
        </a>
      </Detail>
      <Detail name={t('profile.joined')}>{formatDate(Date.parse(details.date_joined))}</Detail>
      {groups.length > 0 && (
        <Detail name={t('profile.groups')}>
          <bdi>{formatList(groups.map(({ name }) => name))}</bdi>
        </Detail>
      )}
      {listProfileValues(details.profile_data ?? {}).map(({ id, name, text, href, user_ids }) => (
        <Detail key={id} name={name}>
          {user_ids ? (
            formatList(user_ids.map(nameOf))
          ) : href === undefined ? (
            <span dir="auto">{text}</span>
          ) : (
            <a href={href} target="_blank" rel="noopener noreferrer">
              {text}
            </a>
          )}
        </Detail>
      ))}
    </dl>
  )
}

const Detail = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div class="Profile-detail">
    <dt>
      <bdi>{name}</bdi>
    </dt>
    <dd>{children}</dd>
  </div>
)
