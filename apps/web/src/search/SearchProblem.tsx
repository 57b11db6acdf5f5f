import { writeHash } from '../router/hash.ts'
import { route } from '../router/router.ts'
import { formatList } from '../text/dates.ts'
import { t } from '../text/t.ts'
import { Empty } from '../ui/Empty.tsx'
import { describeChip, isWrong } from './chip-text.ts'
import { readSearch, routeOfSearch } from './query.ts'

/** Replaces the results of a search that the server refuses. The field marks the wrong condition. */
export function SearchProblem() {
  const current = route.value
  if (current.view !== 'narrow') return null
  const { chips, text } = readSearch(current)
  const wrong = chips.filter(isWrong)
  const right = { chips: chips.filter((chip) => !isWrong(chip)), text }
  if (wrong.length === 0)
    return <Empty icon="search" title={t('search.refused')} text={t('search.refused_hint')} />
  return (
    <Empty
      icon="search"
      title={t('search.refused')}
      text={t('search.wrong', { terms: formatList(wrong.map(describeChip)) })}
    >
      <a href={writeHash(routeOfSearch(right))}>{t('search.without_wrong')}</a>
    </Empty>
  )
}
