import './NotificationsPage.css'
import type { NotificationSettings } from '@oxbow/contract'
import type { ReadonlySignal } from '@preact/signals'
import {
  badgeKind,
  desktopOfStreams,
  notifiesBySound,
  notifiesOnScreen,
  showsPrivateContent,
  soundOfStreams,
  wildcardOfStreams,
} from '../client/store.ts'
import { Group } from '../frame/Group.tsx'
import { t } from '../text/t.ts'
import { Choice } from '../ui/Choice.tsx'
import { Switch } from '../ui/Switch.tsx'
import { changeNotifications } from './change-setting.ts'
import { DeviceNotifications } from './DeviceNotifications.tsx'
import { DifferingStreams } from './DifferingStreams.tsx'
import { TableBox } from './TableBox.tsx'

/** The settings page that decides which messages notify the user, and how. */
export function NotificationsPage() {
  return (
    <>
      <Group title={t('notifications.kinds')} hint={t('notifications.kinds_hint')}>
        <Kinds />
        <Switch
          label={t('notifications.wildcards')}
          hint={t('notifications.wildcards_hint')}
          isOn={wildcardOfStreams.value ?? true}
          onChange={(isOn) => void changeNotifications('wildcard_mentions_notify', isOn)}
        />
        <Switch
          label={t('notifications.content')}
          hint={t('notifications.content_hint')}
          isOn={showsPrivateContent.value ?? true}
          onChange={(isOn) => void changeNotifications('pm_content_in_desktop_notifications', isOn)}
        />
        <Choice
          label={t('notifications.badge')}
          hint={t('notifications.badge_hint')}
          value={badgeKind.value ?? 1}
          options={[
            { value: 1, text: t('notifications.badge_all') },
            { value: 2, text: t('notifications.badge_direct') },
            { value: 3, text: t('notifications.badge_none') },
          ]}
          onChange={(value) => void changeNotifications('desktop_icon_count_display', value)}
        />
      </Group>
      <DeviceNotifications />
      <DifferingStreams />
    </>
  )
}

type Toggle = [keyof NotificationSettings, ReadonlySignal<boolean | undefined>]

interface Kind {
  name: string
  hint: string
  screen: Toggle
  sound: Toggle
}

const listKinds = (): Kind[] => [
  {
    name: t('notifications.direct'),
    hint: t('notifications.direct_hint'),
    screen: ['enable_desktop_notifications', notifiesOnScreen],
    sound: ['enable_sounds', notifiesBySound],
  },
  {
    name: t('notifications.streams'),
    hint: t('notifications.streams_hint'),
    screen: ['enable_stream_desktop_notifications', desktopOfStreams],
    sound: ['enable_stream_audible_notifications', soundOfStreams],
  },
]

function Kinds() {
  return (
    <table class="NotificationsPage-table">
      <thead>
        <tr>
          <th scope="col">{t('notifications.of')}</th>
          <th scope="col">{t('notifications.screen')}</th>
          <th scope="col">{t('notifications.sound')}</th>
        </tr>
      </thead>
      <tbody>
        {listKinds().map(({ name, hint, screen, sound }) => (
          <tr key={name}>
            <th scope="row">
              {name}
              <span class="NotificationsPage-hint">{hint}</span>
            </th>
            {([screen, sound] as const).map(([setting, value], index) => (
              <td key={setting}>
                <TableBox
                  label={t('notifications.cell', {
                    kind: name,
                    way: index === 0 ? t('notifications.screen') : t('notifications.sound'),
                  })}
                  isOn={value.value ?? false}
                  onChange={(isOn) => void changeNotifications(setting, isOn as never)}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
