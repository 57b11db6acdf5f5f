import { isAdministrator, isGuest } from '../client/store.ts'
import { isPossible } from '../keys/dispatch.ts'
import { type Command, commands } from '../keys/map.ts'
import { type BuiltSetting, builtSettings } from '../settings/built-pages.ts'
import { type Match, NameIndex } from '../text/name-index.ts'
import { type Key, t } from '../text/t.ts'

const settingNames: Readonly<Record<BuiltSetting, Key>> = {
  profile: 'settings.profile',
  account: 'settings.account',
  sessions: 'settings.sessions',
  display: 'settings.display',
  notifications: 'settings.notifications',
  'alert-words': 'settings.alert_words',
  muted: 'settings.muted',
  bots: 'settings.bots',
}

/** Commands without keys, which only the jump dialog offers. */
const pageCommands: readonly Command[] = [
  ...builtSettings.map(
    (page): Command => ({
      id: `settings-${page}`,
      icon: 'settings',
      text: () => t('command.settings_page', { page: t(settingNames[page] as 'settings.profile') }),
      does: { view: 'settings', page },
    }),
  ),
  {
    id: 'invite',
    icon: 'user-plus',
    text: () => t('menu.invite'),
    does: { view: 'organization', page: 'invitations' },
    isOffered: () => !isGuest.value,
  },
  {
    id: 'organization',
    icon: 'building-2',
    text: () => t('menu.organization'),
    does: { view: 'organization', page: 'profile' },
    isOffered: () => isAdministrator.value === true,
  },
]

/** Finds commands by name; returns all of them, in order, for an empty text. Reads signals. */
export function findCommands(query: string, max: number): Match<Command>[] {
  const possible = [...commands, ...pageCommands].filter(isPossible)
  const index = new NameIndex(possible, (command) => command.text())
  index.prepare(Number.POSITIVE_INFINITY)
  return index.find(query, max)
}
