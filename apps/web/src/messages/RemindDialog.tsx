import type { WindowMessage } from '@oxbow/sdk/windows'
import { closeDialog } from '../client/open-dialogs.ts'
import { remindOf } from '../composer/send-later.ts'
import { TimeDialog } from '../composer/TimeDialog.tsx'
import { t } from '../text/t.ts'

/** Asks for the time of a reminder about a message. */
export const RemindDialog = ({ message }: { message: WindowMessage }) => (
  <TimeDialog
    title={t('later.remind_title')}
    confirm={t('later.remind')}
    onChoose={(time) => void remindOf(message, time)}
    onClose={closeDialog}
  />
)
