import './TypingLine.css'
import type { UserId } from '@oxbow/contract'
import { formatList } from '../client/formats/dates.ts'
import { nameOf } from '../client/people/names.ts'
import { typistsIn } from '../client/writing/typing.ts'
import { t } from '../text/t.ts'

/** Maximum number of people who are named. */
const maxNamed = 3

/**
 * Shows who is typing in a private conversation. Its height is constant, so that the layout never
 * shifts.
 */
export function TypingLine({ user_ids }: { user_ids: readonly UserId[] }) {
  const typists = typistsIn(user_ids)
  const names = formatList(typists.slice(0, maxNamed).map(nameOf))
  return (
    <p class="Cut TypingLine">
      <bdi>
        {typists.length > maxNamed
          ? t('typing.several')
          : typists.length > 0 && t('typing.named', { names, count: typists.length })}
      </bdi>
    </p>
  )
}
