import type { PageOf } from '../client/route/route.ts'

/** The settings pages that the client has, in the order in which they are listed. */
export const builtSettings = [
  'profile',
  'account',
  'sessions',
  'display',
  'notifications',
  'alert-words',
  'muted',
  'bots',
] as const satisfies PageOf<'settings'>[]

export type BuiltSetting = (typeof builtSettings)[number]

/** The pages that the client has, for each view of which it lacks some pages. */
export const builtPages: Readonly<Record<string, readonly string[]>> = {
  settings: builtSettings,
  organization: ['profile', 'streams', 'invitations'],
  bot: ['general', 'url', 'failures'],
}
