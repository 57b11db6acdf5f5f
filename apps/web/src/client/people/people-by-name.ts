import { computed } from '@preact/signals'
import { activePeople, type Person } from './people.ts'
import { SlicedSort } from './sliced-sort.ts'

/**
 * Compares people by name, for display. With 100,000 names, `localeCompare` without options takes half the time of
 * a collator.
 */
export const compareByName = (one: Person, other: Person): number =>
  one.full_name.localeCompare(other.full_name)

const sort = new SlicedSort(compareByName)
const sorting = computed(() => sort.sort(activePeople.value))

/** Active people and bots, by name. In large organizations it is empty until it is sorted for the first time. */
export const peopleByName = computed(() => sorting.value.sorted)

/** Whether `peopleByName` contains all active people and bots that are known. */
export const isPeopleSorted = computed(() => sorting.value.isCurrent)
