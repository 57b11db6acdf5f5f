import './MembersPage.css'
import type { UserId } from '@oxbow/contract'
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { avatarOf, nameOf } from '../client/people/names.ts'
import { peopleById } from '../client/people/people.ts'
import { askPermission } from '../client/permissions.ts'
import { isAdministrator, ownId } from '../client/store.ts'
import { membersOf } from '../client/streams/stream-facts.ts'
import { type KnownStream, nameOrder } from '../client/streams/streams.ts'
import { WhyNot } from '../frame/WhyNot.tsx'
import { matchName, noMatch } from '../text/match-name.ts'
import { readRefusal } from '../text/refusal.ts'
import { t } from '../text/t.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Button } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { FixedList } from '../ui/FixedList.tsx'
import { pixelsOf } from '../ui/fixed-list.ts'
import { askToLeave } from './ask-to-leave.ts'
import { addMembers, removeMember } from './change-members.ts'
import { PeopleField } from './PeopleField.tsx'

const rowRem = 3

/** The page of a stream's members, where members are added and removed. */
export function MembersPage({ stream }: { stream: KnownStream }) {
  const { stream_id } = stream
  const filter = useSignal('')
  const members = membersOf(stream_id).value
  const people = peopleById.value
  const sorted = useMemo(
    () =>
      [...(members ?? [])]
        .map((user_id) => ({ user_id, name: nameOf(user_id) }))
        .sort((one, other) => nameOrder.compare(one.name, other.name)),
    [members, people],
  )
  const query = filter.value.trim()
  const shown = query === '' ? sorted : sorted.filter(({ name }) => matchName(name, query) < noMatch)
  return (
    <div class="MembersPage">
      <AddPeople stream={stream} members={members} />
      <div class="MembersPage-tools">
        <h2 class="Heading">{members && t('streams.members', { count: members.size })}</h2>
        <input
          class="Field-input MembersPage-filter"
          type="search"
          aria-label={t('streams.filter_members')}
          placeholder={t('streams.filter_members')}
          value={filter.value}
          onInput={({ currentTarget }) => {
            filter.value = currentTarget.value
          }}
        />
      </div>
      {!isAdministrator.value && <p class="StreamDetails-hint">{t('streams.only_admins_remove')}</p>}
      {members && shown.length === 0 ? (
        <Empty icon="users" title={query === '' ? t('streams.nobody') : t('ui.no_matches')} />
      ) : (
        <div class="MembersPage-list">
          <FixedList
            label={t('streams.members_of', { stream: stream.name })}
            items={shown}
            rowHeight={pixelsOf(rowRem)}
            keyOf={({ user_id }) => user_id}
          >
            {({ user_id }, isActive) => <Member stream={stream} user_id={user_id} isActive={isActive} />}
          </FixedList>
        </div>
      )}
    </div>
  )
}

function Member({ stream, user_id, isActive }: { stream: KnownStream; user_id: UserId; isActive: boolean }) {
  const name = nameOf(user_id)
  const person = peopleById.value.get(user_id)
  const isOwn = user_id === ownId.value
  const mark = isOwn
    ? t('typeahead.you')
    : person?.is_bot
      ? t('message.bot')
      : person?.is_guest
        ? t('message.guest')
        : undefined
  return (
    <>
      <Avatar user_id={user_id} url={avatarOf(user_id)} name={name} />
      <span class="Cut MembersPage-name">
        <bdi>{name}</bdi>
        {mark && <span class="MembersPage-mark"> {mark}</span>}
      </span>
      {(isOwn || isAdministrator.value) && (
        <Button
          look="plain"
          tabIndex={isActive ? 0 : -1}
          aria-label={
            isOwn
              ? t('streams.leave_named', { stream: stream.name })
              : t('streams.remove_named', { name, stream: stream.name })
          }
          onClick={() => (isOwn ? askToLeave(stream) : void removeMember(stream, user_id))}
        >
          {isOwn ? t('streams.leave') : t('streams.remove')}
        </Button>
      )}
    </>
  )
}

function AddPeople({ stream, members }: { stream: KnownStream; members: ReadonlySet<UserId> | undefined }) {
  const { stream_id } = stream
  const chosen = useSignal<readonly UserId[]>([])
  const problem = useSignal<string | undefined>(undefined)
  const mayAdd = askPermission('add_subscribers', { stream_id }).value?.allowed !== false
  const add = async () => {
    try {
      await addMembers(stream, chosen.value)
      chosen.value = []
    } catch (error) {
      problem.value = readRefusal(error).reason
    }
  }
  return (
    <form
      class="MembersPage-add"
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen.value.length > 0) void add()
      }}
    >
      <PeopleField
        label={t('streams.add_people')}
        problem={problem.value}
        chosen={chosen.value}
        onChange={(user_ids) => {
          problem.value = undefined
          chosen.value = user_ids
        }}
        isExcluded={(user_id) => members?.has(user_id) === true}
        isDisabled={!mayAdd}
      />
      <div class="StreamDetails-actions">
        <Button type="submit" icon="user-plus" disabled={!mayAdd || chosen.value.length === 0}>
          {t('streams.add_button')}
        </Button>
        {!mayAdd && (
          <WhyNot subject={t('streams.add_people')} action="add_subscribers" about={{ stream_id }} />
        )}
      </div>
    </form>
  )
}
