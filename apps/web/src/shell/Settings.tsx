import { BotsPage } from '../bots/BotsPage.tsx'
import { route } from '../client/route/router.ts'
import { type FramedPage, PagesFrame } from '../frame/PagesFrame.tsx'
import { AccountPage } from '../settings/AccountPage.tsx'
import { AlertWordsPage } from '../settings/AlertWordsPage.tsx'
import { type BuiltSetting, builtSettings } from '../settings/built-pages.ts'
import { DisplayPage } from '../settings/DisplayPage.tsx'
import { MutedPage } from '../settings/MutedPage.tsx'
import { NotificationsPage } from '../settings/NotificationsPage.tsx'
import { ProfilePage } from '../settings/ProfilePage.tsx'
import { SessionsPage } from '../settings/SessionsPage.tsx'
import { t } from '../text/t.ts'

const describe: Record<BuiltSetting, () => Omit<FramedPage, 'to'>> = {
  profile: () => ({ title: t('settings.profile'), icon: 'user', content: ProfilePage }),
  account: () => ({ title: t('settings.account'), icon: 'key-round', content: AccountPage }),
  sessions: () => ({ title: t('settings.sessions'), icon: 'laptop', content: SessionsPage }),
  display: () => ({ title: t('settings.display'), icon: 'palette', content: DisplayPage }),
  notifications: () => ({ title: t('settings.notifications'), icon: 'bell', content: NotificationsPage }),
  'alert-words': () => ({ title: t('settings.alert_words'), icon: 'megaphone', content: AlertWordsPage }),
  muted: () => ({ title: t('settings.muted'), icon: 'bell-off', content: MutedPage }),
  bots: () => ({ title: t('settings.bots'), icon: 'bot', content: BotsPage }),
}

const listPages = () =>
  builtSettings.map((page): FramedPage => ({ ...describe[page](), to: { view: 'settings', page } })) as [
    FramedPage,
    ...FramedPage[],
  ]

/** The settings of the account. Each takes effect when it is changed. */
export function Settings() {
  const page = route.value.view === 'settings' ? route.value.page : undefined
  const pages = listPages()
  const shown = pages.find(({ to }) => to.view === 'settings' && to.page === page)
  return <PagesFrame title={t('settings.title')} list={{ view: 'settings' }} pages={pages} shown={shown} />
}
