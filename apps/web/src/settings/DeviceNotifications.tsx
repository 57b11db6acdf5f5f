import type { MessageId } from '@oxbow/contract'
import { type Permission, permission, requestPermission } from '../client/device/notification-permission.ts'
import { showNotification } from '../client/device/notifications.ts'
import { Group } from '../frame/Group.tsx'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'

const texts: Record<Permission, () => string> = {
  granted: () => t('notifications.granted'),
  default: () => t('notifications.not_asked'),
  denied: () => t('notifications.denied'),
  unsupported: () => t('notifications.unsupported'),
}

/** Shows whether this browser allows notifications, and how to change it. */
export function DeviceNotifications() {
  const state = permission.value
  return (
    <Group title={t('notifications.device')} isStoredOnDevice>
      <p class="NotificationsPage-state" role="status">
        {texts[state]()}
      </p>
      {state === 'default' && (
        <p>
          <Button onClick={() => void requestPermission()}>{t('notifications.allow')}</Button>
        </p>
      )}
      {state === 'granted' && (
        <p>
          <Button onClick={() => void showTest()}>{t('notifications.test')}</Button>
        </p>
      )}
    </Group>
  )
}

const showTest = () =>
  showNotification({
    title: t('notifications.test_title'),
    text: t('notifications.test_text'),
    conversation: 'test',
    message_id: 0 as MessageId,
    hash: '#settings/notifications',
  })
