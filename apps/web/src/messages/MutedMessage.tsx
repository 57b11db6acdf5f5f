import './MutedMessage.css'
import { t } from '../text/t.ts'

/** Replaces a message whose sender is muted on this device. */
export const MutedMessage = ({ id, onShow }: { id: string; onShow: () => void }) => (
  <p class="MutedMessage" id={id}>
    {t('message.muted')}{' '}
    <button type="button" class="MutedMessage-show" onClick={onShow}>
      {t('message.show')}
    </button>
  </p>
)
