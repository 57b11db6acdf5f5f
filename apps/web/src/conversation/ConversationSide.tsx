import './ConversationSide.css'
import type { StreamId, UserId } from '@oxbow/contract'
import { othersOf } from '../client/conversations/target.ts'
import { shownSenders } from '../client/messages/open-window.ts'
import { nameOf } from '../client/people/names.ts'
import { type Person, peopleById } from '../client/people/people.ts'
import { compareByName } from '../client/people/people-by-name.ts'
import { findConversation } from '../client/route/route.ts'
import { openRoute, route } from '../client/route/router.ts'
import { ownId } from '../client/store.ts'
import { membersOf } from '../client/streams/stream-facts.ts'
import { isPhone } from '../frame/panes.ts'
import { statusOf } from '../people/describe.ts'
import { PersonFace } from '../people/PersonFace.tsx'
import { showCard } from '../people/person-card.ts'
import { t } from '../text/t.ts'
import { FixedList } from '../ui/FixedList.tsx'

/** The people of the open conversation. */
export function ConversationSide() {
  const open = findConversation(route.value)
  if (!open) return null
  return (
    <div class="ConversationSide">
      {open.type === 'private' ? (
        <PrivatePeople user_ids={open.user_ids} />
      ) : (
        <>
          <TopicPeople />
          <StreamMembers key={open.stream_id} stream_id={open.stream_id} />
        </>
      )}
    </div>
  )
}

/** Maximum number of senders listed for a topic. */
const maxTopicPeople = 12

function TopicPeople() {
  const senders = shownSenders.value.slice(0, maxTopicPeople)
  return (
    <section class="ConversationSide-topic">
      <h2 class="Heading">{t('side.topic')}</h2>
      {senders.length === 0 ? <p class="ConversationSide-hint">{t('side.topic_empty')}</p> : null}
      <PeopleLinks user_ids={senders} />
    </section>
  )
}

function PrivatePeople({ user_ids }: { user_ids: readonly UserId[] }) {
  const own = ownId.value
  const others = othersOf(user_ids)
  return (
    <section>
      <h2 class="Heading">{t('side.private')}</h2>
      <PeopleLinks user_ids={own === undefined || others.includes(own) ? others : [...others, own]} />
    </section>
  )
}

const PeopleLinks = ({ user_ids }: { user_ids: readonly UserId[] }) => (
  <ul class="ConversationSide-people">
    {user_ids.map((user_id) => (
      <li key={user_id}>
        <a class="ConversationSide-person" href={`#people/${user_id}`} data-card={user_id}>
          <PersonWords user_id={user_id} />
        </a>
      </li>
    ))}
  </ul>
)

/** Heights of rows in pixels, for a mouse and for touch. */
const rowHeights = { fine: 36, coarse: 44 }

function StreamMembers({ stream_id }: { stream_id: StreamId }) {
  const members = membersOf(stream_id).value
  const people = [...(members ?? [])]
    .flatMap((user_id) => peopleById.value.get(user_id) ?? [])
    .filter(({ is_active }) => is_active)
    .sort(compareByName)
  return (
    <section class="ConversationSide-stream">
      <h2 class="Heading">
        {t('side.stream')} <span class="ConversationSide-count">{members && people.length}</span>
      </h2>
      <div class="ConversationSide-members">
        <FixedList
          label={t('side.stream')}
          items={people}
          rowHeight={isPhone.value ? rowHeights.coarse : rowHeights.fine}
          keyOf={({ user_id }) => user_id}
          onChoose={({ user_id }, row) => {
            // A card above a modal sheet could not be used, so the profile is opened instead.
            if (isPhone.value) openRoute({ view: 'person', user_id })
            else showCard(user_id, row)
          }}
        >
          {({ user_id }: Person) => <PersonWords user_id={user_id} />}
        </FixedList>
      </div>
    </section>
  )
}

function PersonWords({ user_id }: { user_id: UserId }) {
  const status = statusOf(user_id)
  return (
    <>
      <PersonFace user_id={user_id} />
      <span class="ConversationSide-name">
        <bdi class="Cut">{nameOf(user_id)}</bdi>{' '}
        {user_id === ownId.value && <span class="ConversationSide-hint">{t('person.you')}</span>}
        {status && <bdi class="Cut ConversationSide-hint">{status}</bdi>}
      </span>
    </>
  )
}
