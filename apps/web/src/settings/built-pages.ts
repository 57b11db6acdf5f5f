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

/** The pages that exist, for each view that lacks some of its pages. */
export const builtPages: Readonly<Record<string, readonly string[]>> = {
  settings: builtSettings,
  organization: ['profile', 'invitations'],
}
