import './ReadersDialog.css'
import type { WindowMessage } from '@oxbow/sdk/windows'
import { client } from '../client/client.ts'
import { closeDialog } from '../client/open-dialogs.ts'
import { nameOf } from '../client/people/names.ts'
import { useLoaded } from '../client/use-loaded.ts'
import { PersonFace } from '../people/PersonFace.tsx'
import { t } from '../text/t.ts'
import { Dialog } from '../ui/Dialog.tsx'

/** The people who have read a message. */
export function ReadersDialog({ message }: { message: WindowMessage }) {
  const { value, problem } = useLoaded(() => client.messages.readReceipts({ message_id: message.id }))
  return (
    <Dialog title={t('readers.title')} onClose={closeDialog}>
      {problem && <p role="alert">{problem}</p>}
      {value?.user_ids.length === 0 && <p>{t('readers.nobody')}</p>}
      {value && value.user_ids.length > 0 && (
        <ul class="ReadersDialog">
          {value.user_ids.map((user_id) => (
            <li key={user_id} class="ReadersDialog-person">
              <PersonFace user_id={user_id} size="s" />
              <bdi>{nameOf(user_id)}</bdi>
            </li>
          ))}
        </ul>
      )}
      <p>{t('readers.hint')}</p>
    </Dialog>
  )
}
