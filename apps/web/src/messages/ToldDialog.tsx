import './ToldDialog.css'
import type { WindowMessage } from '@oxbow/sdk/windows'
import { client } from '../client/client.ts'
import { closeDialog } from '../client/open-dialogs.ts'
import { openRoute } from '../client/route/router.ts'
import { useLoaded } from '../client/use-loaded.ts'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'

type Explanation = Awaited<ReturnType<typeof client.notifications.explain>>
type Channel = Explanation['channels'][number]

/** Says why a message notified the user, or why not, for each way to notify. */
export function ToldDialog({ message }: { message: WindowMessage }) {
  const { value, problem } = useLoaded(() => client.notifications.explain({ message_id: message.id }))
  return (
    <Dialog
      title={t('message.told')}
      onClose={closeDialog}
      actions={<Button onClick={openSettings}>{t('told.settings')}</Button>}
    >
      {problem && <p role="alert">{problem}</p>}
      {value && (
        <>
          <dl class="ToldDialog">
            {value.channels.map((channel) => (
              <div key={channel.channel} class="ToldDialog-channel">
                <dt>{nameChannel(channel)}</dt>
                <dd>{explain(channel)}</dd>
              </div>
            ))}
          </dl>
          <p class="ToldDialog-basis">{t('told.basis')}</p>
        </>
      )}
    </Dialog>
  )
}

function openSettings(): void {
  closeDialog()
  openRoute({ view: 'settings', page: 'notifications' })
}

function nameChannel({ channel }: Channel): string {
  switch (channel) {
    case 'screen':
      return t('told.screen')
    case 'sound':
      return t('told.sound')
    case 'push':
      return t('told.push')
    case 'mail':
      return t('told.mail')
  }
}

function explain({ outcome, rule }: Channel): string {
  const reason = rule in sentences ? t(sentences[rule as keyof typeof sentences]) : rule
  if (outcome === 'told') return t('told.yes', { reason })
  return rule.startsWith('R') ? t('told.off', { reason }) : t('told.no', { reason })
}

/** The sentences of the rules that decide without knowing when a user is active. */
const sentences = {
  S1: 'told.own',
  S2: 'told.program',
  S3: 'told.not_received',
  S4: 'told.deleted',
  S5: 'told.read',
  S6: 'told.silent',
  S7: 'told.muted_person',
  R1: 'told.private',
  R2: 'told.mentioned',
  R3: 'told.group',
  R4: 'told.alert_word',
  R5: 'told.everyone_followed',
  R6: 'told.everyone',
  R7: 'told.crowd',
  R8: 'told.followed',
  R9: 'told.stream',
  P1: 'told.muted_topic',
  P2: 'told.muted_stream',
  P3: 'told.no_pushes',
  P4: 'told.no_mails',
  D1: 'told.no_device',
  D2: 'told.server_without_push',
  D3: 'told.no_address',
  D4: 'told.bounces',
  D5: 'told.server_without_mail',
} as const
