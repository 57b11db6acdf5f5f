import type { Bot } from '@oxbow/contract'
import { useSignal } from '@preact/signals'
import { awaitOrShowRefusal } from '../client/act.ts'
import { Group } from '../frame/Group.tsx'
import { Secret } from '../frame/Secret.tsx'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Notice } from '../ui/Notice.tsx'
import { replaceBotKey } from './change-bot.ts'
import { nameConfigFile, saveFile, writeConfig } from './config-file.ts'
import { useBotKey } from './use-secret.ts'

/** The API key of a bot, and the configuration file with it that programs read. */
export function BotKey({ bot }: { bot: Bot }) {
  const key = useBotKey(bot)
  const isAsking = useSignal(false)
  const close = () => {
    isAsking.value = false
  }
  const replace = async () => {
    close()
    if (await awaitOrShowRefusal(replaceBotKey(bot))) await key.reload()
  }
  return (
    <Group title={t('api_key.title')} hint={t('bots.key_hint')}>
      {key.problem !== undefined && <Notice look="danger">{key.problem}</Notice>}
      <Secret
        value={key.value}
        action={t('api_key.show')}
        copyLabel={t('api_key.copy')}
        onShow={() => void key.show()}
        onHide={key.hide}
      >
        <Button
          look="danger"
          icon="refresh-cw"
          onClick={() => {
            isAsking.value = true
          }}
        >
          {t('api_key.replace')}
        </Button>
      </Secret>
      {key.value !== undefined && <ConfigFile bot={bot} api_key={key.value} />}
      {isAsking.value && (
        <Dialog
          title={t('bots.key_replace_title')}
          onClose={close}
          actions={
            <>
              <Button onClick={close}>{t('ui.cancel')}</Button>
              <Button look="danger" icon="refresh-cw" onClick={() => void replace()}>
                {t('api_key.replace')}
              </Button>
            </>
          }
        >
          <p>{t('bots.key_replace_hint')}</p>
        </Dialog>
      )}
    </Group>
  )
}

function ConfigFile({ bot, api_key }: { bot: Bot; api_key: string }) {
  const text = writeConfig(bot, api_key)
  const file = nameConfigFile(bot)
  return (
    <>
      <p class="Group-hint">{t('bots.config_hint', { file })}</p>
      <div class="Secret">
        <CopyButton text={text} action={t('bots.config_copy')} />
        <Button icon="download" onClick={() => saveFile(file, text)}>
          {t('bots.config_save')}
        </Button>
      </div>
    </>
  )
}
