import type { UserId } from '@oxbow/contract'
import '../ui/Popover.css'
import './PersonCard.css'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { isPersonMuted } from '../client/people/muted-people.ts'
import { nameOf } from '../client/people/names.ts'
import { peopleById } from '../client/people/people.ts'
import { writeHash } from '../client/route/hash.ts'
import { ownId } from '../client/store.ts'
import { findOpenTarget } from '../composer/open-composer.ts'
import { t } from '../text/t.ts'
import { Icon } from '../ui/Icon.tsx'
import type { IconName } from '../ui/icon-names.generated.ts'
import { PersonFace } from './PersonFace.tsx'
import { PersonFacts } from './PersonFacts.tsx'
import { mentionPerson, routeOfMessages, routeToWrite, togglePersonMute } from './person-actions.ts'
import { closeCard, type OpenCard, openCard } from './person-card.ts'

const anchorName = '--person-card'

/** The card of the person whose name, mention or picture was clicked; on phones a sheet. */
export function PersonCard() {
  const open = openCard.value
  return open ? <Opened key={open.user_id} {...open} /> : null
}

function Opened({ user_id, anchor }: OpenCard) {
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const before = anchor.style.getPropertyValue('anchor-name')
    anchor.style.setProperty('anchor-name', before ? `${before}, ${anchorName}` : anchorName)
    ref.current?.showPopover()
    ref.current?.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true })
    return () => anchor.style.setProperty('anchor-name', before)
  }, [anchor])
  return (
    <div
      ref={ref}
      class="Popover PersonCard"
      popover="auto"
      role="dialog"
      aria-labelledby="person-card-name"
      style={{ positionAnchor: anchorName }}
      onToggle={({ newState }) => {
        if (newState === 'closed' && openCard.peek()?.anchor === anchor) closeCard()
      }}
    >
      <div class="PersonCard-head">
        <PersonFace user_id={user_id} size="l" />
        <h2 class="PersonCard-name" id="person-card-name" tabIndex={-1}>
          <bdi>{nameOf(user_id)}</bdi>
          {user_id === ownId.value && <span class="PersonCard-you"> {t('person.you')}</span>}
        </h2>
      </div>
      <PersonFacts user_id={user_id} />
      <Actions user_id={user_id} />
    </div>
  )
}

function Actions({ user_id }: { user_id: UserId }) {
  const person = peopleById.value.get(user_id)
  const isMuted = isPersonMuted(user_id)
  const canWrite = person?.is_active ?? true
  const openTarget = findOpenTarget()
  return (
    <ul class="PersonCard-actions">
      {canWrite && (
        <Action icon="message-square" text={t('person.write')} href={writeHash(routeToWrite(user_id))} />
      )}
      {canWrite && openTarget && (
        <Action
          icon="at-sign"
          text={t('person.mention')}
          onClick={() => mentionPerson(user_id, openTarget)}
        />
      )}
      <Action icon="search" text={t('person.all_messages')} href={writeHash(routeOfMessages(user_id))} />
      <Action icon="user" text={t('person.profile')} href={`#people/${user_id}`} />
      {user_id !== ownId.value && (
        <Action
          icon={isMuted ? 'volume-2' : 'bell-off'}
          text={isMuted ? t('person.unmute') : t('person.mute')}
          onClick={() => void togglePersonMute(user_id, !isMuted)}
        />
      )}
    </ul>
  )
}

interface ActionProps {
  icon: IconName
  text: string
  href?: string
  onClick?: () => void
}

function Action({ icon, text, href, onClick }: ActionProps) {
  const act = () => {
    closeCard()
    onClick?.()
  }
  const content = (
    <>
      <Icon name={icon} />
      {text}
    </>
  )
  return (
    <li>
      {href === undefined ? (
        <button type="button" class="PersonCard-action" onClick={act}>
          {content}
        </button>
      ) : (
        <a class="PersonCard-action" href={href} onClick={act}>
          {content}
        </a>
      )}
    </li>
  )
}
