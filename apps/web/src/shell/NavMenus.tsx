import './NavMenus.css'
import { signOut } from '../client/account/sign-out.ts'
import { changeAway, getOwnStatus } from '../client/account/status.ts'
import { showDialog } from '../client/open-dialogs.ts'
import { hasRoute } from '../client/route/has-route.ts'
import { parseHash } from '../client/route/hash.ts'
import { helpPath } from '../client/route/route.ts'
import {
  isAdministrator,
  isGuest,
  organizationIcon,
  organizationName,
  ownAvatar,
  ownId,
  ownName,
} from '../client/store.ts'
import { t } from '../text/t.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Menu, type MenuItem } from '../ui/Menu.tsx'

const organizationItems = (): MenuItem[] => [
  ...(isGuest.value
    ? []
    : [{ text: t('menu.invite'), icon: 'user-plus', href: '#organization/invitations' } as const]),
  { text: t('menu.people'), icon: 'users', href: '#people' },
  { text: t('menu.streams'), icon: 'hash', href: '#streams/all' },
  ...(isAdministrator.value
    ? [{ text: t('menu.organization'), icon: 'building-2', href: '#organization/profile' } as const]
    : []),
  {
    text: t('menu.help'),
    icon: 'circle-question-mark',
    href: helpPath,
    isOutside: true,
    startsGroup: true,
  },
  {
    text: t('keys.title'),
    icon: 'keyboard',
    onSelect: () => showDialog({ kind: 'keys' }),
  },
  { text: t('menu.another'), icon: 'globe', href: '/accounts/go' },
]

const accountItems = (): MenuItem[] => [
  ...statusItems(),
  { text: t('menu.profile'), icon: 'user', href: '#settings/profile', startsGroup: true },
  { text: t('menu.settings'), icon: 'settings', href: '#settings' },
  { text: t('menu.sessions'), icon: 'laptop', href: '#settings/sessions' },
  { text: t('menu.sign_out'), icon: 'log-out', onSelect: () => void signOut(), startsGroup: true },
]

/**
 * Lists the menu items for the user's status: its text, which opens the dialog, and whether the
 * user is away.
 */
function statusItems(): MenuItem[] {
  const { text, isAway } = getOwnStatus()
  return [
    {
      text: text === '' ? t('menu.status') : t('menu.status_now', { text }),
      icon: 'smile',
      onSelect: () => showDialog({ kind: 'status' }),
    },
    {
      text: isAway ? t('menu.back') : t('menu.away'),
      icon: isAway ? 'eye' : 'eye-off',
      onSelect: () => void changeAway(!isAway),
    },
  ]
}

/** Returns whether a menu item is shown. Links to views that the client does not have are omitted. */
const isOffered = ({ href }: MenuItem): boolean => !href?.startsWith('#') || hasRoute(parseHash(href))

/** The head of the nav: the menus of the organization and of the account. */
export function NavMenus() {
  const organization = organizationName.value ?? ''
  const name = ownName.value ?? ''
  return (
    <div class="NavMenus">
      <Menu
        label={t('nav.organization', { organization })}
        items={organizationItems().filter(isOffered)}
        button={(properties) => (
          <button
            type="button"
            class="NavMenus-organization"
            aria-label={t('nav.organization', { organization })}
            {...properties}
          >
            <img src={organizationIcon.value} alt="" width="28" height="28" />
            <span class="Cut NavMenus-name">
              <bdi>{organization}</bdi>
            </span>
            <Icon name="chevron-down" />
          </button>
        )}
      />
      <Menu
        label={t('nav.account', { name })}
        items={accountItems().filter(isOffered)}
        button={(properties) => (
          <button
            type="button"
            class="NavMenus-account"
            aria-label={t('nav.account', { name })}
            {...properties}
          >
            <Avatar user_id={ownId.value ?? 0} url={ownAvatar.value ?? ''} name={name} />
          </button>
        )}
      />
    </div>
  )
}
