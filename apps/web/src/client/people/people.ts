import type { UserId } from '@oxbow/contract'
import { computed, signal } from '@preact/signals'
import { afterPaint } from '../after-paint.ts'
import { client } from '../client.ts'
import { storePeople } from '../device/keep-state.ts'
import { onFollowed } from '../events.ts'
import { systemBots, users } from '../store.ts'
import { Directory, entryOf, Person, toColumns } from './directory.ts'

export { Person } from './directory.ts'

const directory = new Directory()
/** Increases with every change of the directory. */
const version = signal(0)
/** Events that arrived while the directory was being fetched; the response may lack them. */
let missed: Parameters<Directory['apply']>[0][] | undefined
/** Number of fetches so far. A response is dropped if a newer fetch has started. */
let fetches = 0

/** Whether the directory has been fetched; until then only a few people are known. */
export const hasDirectory = signal(false)

/** Delays between attempts to fetch the directory, in milliseconds. */
const retryMs = [1_000, 5_000, 30_000, 120_000]

/** Fetches the names of all accounts once the state is known, and follows their changes. */
export function startPeople(): void {
  onFollowed((followed, kept) => {
    if (followed.kind === 'state') {
      if (kept?.people) {
        directory.replace(kept.people)
        hasDirectory.value = true
        version.value++
      }
      missed = []
      const fetch = ++fetches
      afterPaint(() => {
        if (fetch === fetches) void fetchDirectory(fetch)
      })
    } else if (followed.event.type === 'realm_user') {
      directory.apply(followed.event)
      missed?.push(followed.event)
      version.value++
    }
  })
}

async function fetchDirectory(fetch: number, attempt = 0): Promise<void> {
  try {
    const { people } = await client.users.directory()
    if (fetch !== fetches) return
    const columns = toColumns(people)
    directory.replace(columns)
    for (const event of missed ?? []) directory.apply(event)
    missed = undefined
    hasDirectory.value = true
    storePeople(columns)
    version.value++
  } catch {
    const waitMs = retryMs[Math.min(attempt, retryMs.length - 1)] as number
    setTimeout(() => {
      if (fetch === fetches) void fetchDirectory(fetch, attempt + 1)
    }, waitMs)
  }
}

/** Accounts in the state: the user's own, and system bots, which the directory does not list. */
const listed = computed(
  () =>
    new Map(
      [...(systemBots.value ?? []), ...(users.value ?? [])].map((account) => [
        account.user_id as number,
        new Person(entryOf(account)),
      ]),
    ),
)

export interface People {
  get(user_id: UserId): Person | undefined
  values(): Iterable<Person>
}

/** All known accounts, by id. Every change creates a new object. */
export const peopleById = computed((): People => {
  version.value
  const own = listed.value
  return {
    get: (user_id) => own.get(user_id) ?? directory.get(user_id),
    *values() {
      yield* own.values()
      for (const person of directory.values()) if (!own.has(person.user_id)) yield person
    },
  }
})

/** Active people and bots, for lists to choose from. */
export const activePeople = computed((): readonly Person[] =>
  [...peopleById.value.values()].filter(({ is_active }) => is_active),
)

/** Returns the names of people; an ellipsis for an unknown person. */
export const namesOf = (user_ids: readonly UserId[]): string[] =>
  user_ids.map((user_id) => peopleById.value.get(user_id)?.full_name ?? '…')
