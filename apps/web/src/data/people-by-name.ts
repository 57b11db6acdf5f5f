import { computed } from '@preact/signals'
import { activePeople, type Person } from './people.ts'

/**
 * Compares people by name, for display. With 100,000 names, `localeCompare` without options takes half the time of
 * a collator.
 */
export const compareByName = (one: Person, other: Person): number =>
  one.full_name.localeCompare(other.full_name)

/** Active people and bots, by name. */
export const peopleByName = computed(() => activePeople.value.toSorted(compareByName))
