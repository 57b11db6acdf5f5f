import './PersonFacts.css'
import type { UserId } from '@oxbow/contract'
import { isPersonMuted } from '../client/people/muted-people.ts'
import { nameOf } from '../client/people/names.ts'
import { peopleById } from '../client/people/people.ts'
import { detailsOf } from '../client/people/person-details.ts'
import { t } from '../text/t.ts'
import { PresenceDot } from '../ui/PresenceDot.tsx'
import { describeLocalTime, describePresence, describeRole, isAway, statusOf } from './describe.ts'
import { usePresence } from './use-presence.ts'

/**
 * Role, presence, status and local time of a person. Its height does not change when responses
 * arrive.
 */
export function PersonFacts({ user_id }: { user_id: UserId }) {
  const person = peopleById.value.get(user_id)
  const presence = usePresence(user_id)
  const details = detailsOf(user_id).value
  const status = statusOf(user_id)
  if (person && !person.is_active) return <p class="PersonFacts">{t('person.deactivated')}</p>
  const owner = details?.bot_owner_id
  return (
    <ul class="PersonFacts">
      <li>
        {person?.is_bot && owner ? (
          <>
            {t('person.bot_of')}{' '}
            <a href={`#people/${owner}`}>
              <bdi>{nameOf(owner)}</bdi>
            </a>
          </>
        ) : (
          person && describeRole(person)
        )}
      </li>
      {presence && (
        <li class="PersonFacts-presence">
          <PresenceDot availability={presence.availability} isSilent />
          {describePresence(presence, isAway(user_id))}
        </li>
      )}
      {status && (
        <li class="PersonFacts-status" dir="auto">
          {status}
        </li>
      )}
      {person && !person.is_bot && (
        <li>{details ? (describeLocalTime(details.timezone) ?? t('person.no_zone')) : ' '}</li>
      )}
      {isPersonMuted(user_id) && <li>{t('person.is_muted')}</li>}
    </ul>
  )
}
