import type { PageOf } from '../router/route.ts'

/** The pages of the settings that exist, in the order of their list. */
export const builtSettings = [
  'profile',
  'account',
  'sessions',
  'display',
  'notifications',
  'alert-words',
  'muted',
] as const satisfies PageOf<'settings'>[]

export type BuiltSetting = (typeof builtSettings)[number]

/** The existing pages of each view of which some pages are missing. */
export const builtPages: Readonly<Record<string, readonly string[]>> = {
  settings: builtSettings,
  organization: ['invitations'],
}
