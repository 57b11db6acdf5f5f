import './SearchEmpty.css'
import { formatList } from '../client/formats/dates.ts'
import { writeHash } from '../client/route/hash.ts'
import { route } from '../client/route/router.ts'
import { isGuest } from '../client/store.ts'
import { t } from '../text/t.ts'
import { Empty } from '../ui/Empty.tsx'
import { describeChip, isWrong } from './chip-text.ts'
import { type Chip, readSearch, routeOfSearch, type SearchQuery } from './query.ts'

/** Shows that nothing was found, and offers searches that may find more. */
export function SearchEmpty() {
  const current = route.value
  if (current.view !== 'narrow') return null
  const query = readSearch(current)
  const parts = [...query.chips.map(describeChip), ...(query.text ? [query.text] : [])]
  const tips = listTips(query)
  return (
    <Empty icon="search" title={t('search.nothing', { query: parts.join(', ') })} text={t('search.spelling')}>
      {tips.length > 0 && (
        <ul class="SearchEmpty-tips" aria-label={t('search.instead')}>
          {tips.map(({ text, other }) => (
            <li key={text}>
              <a href={writeHash(routeOfSearch(other))}>{text}</a>
            </li>
          ))}
        </ul>
      )}
    </Empty>
  )
}

interface Tip {
  readonly text: string
  readonly other: SearchQuery
}

/** Lists searches with fewer conditions. Reads signals. */
function listTips({ chips, text }: SearchQuery): Tip[] {
  const words = text.split(/\s+/).filter(Boolean)
  const without = (removed: Chip) => chips.filter((chip) => chip !== removed)
  return [
    ...(isWithinOwn(chips) && text !== '' && !isGuest.value
      ? [
          {
            text: t('search.in_public'),
            other: { chips: [...chips, { operator: 'streams' as const, operand: 'public' }], text },
          },
        ]
      : []),
    ...(text.includes('"')
      ? [{ text: t('search.without_quotes'), other: { chips, text: text.replaceAll('"', '') } }]
      : words.length > 1
        ? [
            {
              text: t('search.fewer_words', { word: words[0] ?? '' }),
              other: { chips, text: words[0] ?? '' },
            },
          ]
        : []),
    ...chips
      .filter(() => chips.length > 1 || text !== '')
      .map((chip) => ({
        text: t('search.without', { condition: describeChip(chip) }),
        other: { chips: without(chip), text },
      })),
  ]
}

/**
 * Returns whether a search covers only messages that the reader received, and could be widened to
 * all public streams.
 */
const isWithinOwn = (chips: readonly Chip[]): boolean =>
  !chips.some(({ operator }) =>
    ['stream', 'streams', 'pm-with', 'group-pm-with', 'is', 'in'].includes(operator),
  )

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
