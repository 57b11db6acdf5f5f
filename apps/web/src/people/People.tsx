import '../ui/Field.css'
import './People.css'
import { useComputed, useSignal } from '@preact/signals'
import { hasDirectory, type Person } from '../client/people/people.ts'
import { isPeopleSorted, peopleByName } from '../client/people/people-by-name.ts'
import { openRoute } from '../client/route/router.ts'
import { ownId } from '../client/store.ts'
import { ViewFrame } from '../frame/ViewFrame.tsx'
import { NameSearch } from '../text/name-search.ts'
import { t } from '../text/t.ts'
import { Empty } from '../ui/Empty.tsx'
import { FixedList } from '../ui/FixedList.tsx'
import { describeRole, statusOf } from './describe.ts'
import { PersonFace } from './PersonFace.tsx'

const rowHeight = 56

const search = new NameSearch<Person>(
  () => peopleByName.value,
  ({ full_name }) => full_name,
)

/** All active people and bots of the organization, by name. */
export function People() {
  const query = useSignal('')
  const found = useComputed(() => {
    const typed = query.value.trim()
    return typed === '' ? peopleByName.value : search.filter(typed)
  })
  const count = found.value.length
  const isComplete =
    hasDirectory.value && isPeopleSorted.value && (query.value.trim() === '' || search.isComplete)
  return (
    <ViewFrame title={t('people.title')} facts={<span role="status">{t('people.count', { count })}</span>}>
      <div class="People">
        <input
          class="People-filter Field-input"
          type="search"
          aria-label={t('people.filter')}
          placeholder={t('people.filter')}
          value={query.value}
          onFocus={() => search.prepare()}
          onInput={({ currentTarget }) => {
            query.value = currentTarget.value
          }}
        />
        {(!hasDirectory.value || (count === 0 && !isComplete)) && (
          <p class="People-hint" role="status">
            {t('people.loading')}
          </p>
        )}
        {count === 0 && isComplete && (
          <Empty icon="users" title={t('people.none')} text={t('people.none_hint')} />
        )}
        {count > 0 && (
          <div class="People-list">
            <FixedList
              label={t('people.title')}
              items={found.value}
              rowHeight={rowHeight}
              keyOf={({ user_id }) => user_id}
              onChoose={({ user_id }) => openRoute({ view: 'person', user_id })}
            >
              {(person) => <PersonRow person={person} />}
            </FixedList>
          </div>
        )}
      </div>
    </ViewFrame>
  )
}

function PersonRow({ person }: { person: Person }) {
  const { user_id, full_name } = person
  return (
    <>
      <PersonFace user_id={user_id} size="l" />
      <span class="People-words">
        <span class="Cut People-name">
          <bdi>{full_name}</bdi>
          {user_id === ownId.value && <span class="People-you"> {t('person.you')}</span>}
        </span>
        <span class="Cut People-about">
          <bdi>{statusOf(user_id) ?? describeRole(person)}</bdi>
        </span>
      </span>
    </>
  )
}
