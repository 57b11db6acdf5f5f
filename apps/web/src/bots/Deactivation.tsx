import type { Bot } from '@oxbow/contract'
import { useSignal } from '@preact/signals'
import { awaitOrShowRefusal } from '../client/act.ts'
import { openRoute } from '../client/route/router.ts'
import { Group } from '../frame/Group.tsx'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { deactivateBot } from './change-bot.ts'

/** Deactivates a bot after a confirmation, and opens the list of bots. */
export function Deactivation({ bot }: { bot: Bot }) {
  const isAsking = useSignal(false)
  const close = () => {
    isAsking.value = false
  }
  const deactivate = async () => {
    close()
    if (await awaitOrShowRefusal(deactivateBot(bot))) openRoute({ view: 'settings', page: 'bots' })
  }
  return (
    <Group title={t('bots.deactivate_title')} hint={t('bots.deactivate_hint')}>
      <div>
        <Button
          look="danger"
          onClick={() => {
            isAsking.value = true
          }}
        >
          {t('bots.deactivate')}
        </Button>
      </div>
      {isAsking.value && (
        <Dialog
          title={t('bots.deactivate_ask', { name: bot.full_name })}
          onClose={close}
          actions={
            <>
              <Button onClick={close}>{t('ui.cancel')}</Button>
              <Button look="danger" onClick={() => void deactivate()}>
                {t('bots.deactivate')}
              </Button>
            </>
          }
        >
          <p>{t('bots.deactivate_ask_hint')}</p>
        </Dialog>
      )}
    </Group>
  )
}
