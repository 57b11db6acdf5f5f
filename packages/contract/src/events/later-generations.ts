import type { Settings } from '../kernel/setting.ts'
import { organizationSettings } from '../organization/settings.ts'
import { defaultGeneration, type Generation } from '../plain/generations.ts'
import { prefixWithRealm } from '../plain/realm-prefix.ts'
import { displaySettings, notificationSettings } from '../settings/shape.ts'

/**
 * Types of state and events that programs of earlier generations do not know, with the generation from which
 * on they are sent to queues that ask for all types. A queue that names a type gets it in any generation.
 */
const laterTypes: ReadonlyMap<string, Generation> = new Map([
  ['channel_folder', 371],
  ['channel_folders', 371],
  ['muted_users', 371],
  ['stream_sections', 371],
  ['user_topic', 371],
])

/** Fields of the state that are new in a type of state that earlier generations have. */
const laterFields: ReadonlyMap<string, Generation> = new Map([
  ...listLaterSettings(displaySettings),
  ...listLaterSettings(notificationSettings),
  ...listLaterSettings(prefixWithRealm(organizationSettings)),
])

function listLaterSettings(settings: Settings): [string, Generation][] {
  return Object.entries(settings).flatMap(([name, { since }]): [string, Generation][] =>
    since ? [[name, since]] : [],
  )
}

/** Whether a client of this generation that asks for all types gets this type of state and events. */
export const isTypeOf = (generation: Generation, type: string): boolean =>
  generation >= (laterTypes.get(type) ?? defaultGeneration)

/** Returns the fields of the state that a client of this generation knows. */
export function omitLaterFields<Fields extends object>(fields: Fields, generation: Generation): Fields {
  const known = Object.entries(fields).filter(
    ([name]) => generation >= (laterFields.get(name) ?? defaultGeneration),
  )
  return Object.fromEntries(known) as Fields
}
