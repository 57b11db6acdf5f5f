import type { WindowMessage } from '@oxbow/sdk/windows'
import { useSignal } from '@preact/signals'
import { t } from '../text/t.ts'
import { IconButton } from '../ui/Button.tsx'
import { Menu } from '../ui/Menu.tsx'
import { listActions } from './list-actions.ts'

/** The menu of a message's actions. Actions that are not allowed are shown with the reason. */
export function ActionMenu({ message }: { message: WindowMessage }) {
  const isOpened = useSignal(false)
  return (
    <Menu
      label={t('message.menu')}
      onOpen={() => {
        isOpened.value = true
      }}
      button={(properties) => <IconButton icon="ellipsis" label={t('message.menu')} {...properties} />}
      items={isOpened.value ? listActions(message) : []}
    />
  )
}
