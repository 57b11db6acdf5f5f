import { computed } from '@preact/signals'
import { activePeople, type Person } from './people.ts'

// Comparing digits as numbers takes ten times as long, which 100,000 names would make felt.
const collator = new Intl.Collator(undefined, { sensitivity: 'base' })

/** Compares people by name, for lists that people read. */
export const compareByName = (one: Person, other: Person): number =>
  collator.compare(one.full_name, other.full_name)

/** People and bots who have not left, by name. */
export const peopleByName = computed(() => activePeople.value.toSorted(compareByName))
