import './StatusForm.css'
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { changeAway, changeStatusText, getOwnStatus } from '../client/account/status.ts'
import { closeDialog, closeDialogOf } from '../client/open-dialogs.ts'
import { EmojiButton } from '../composer/EmojiButton.tsx'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Switch } from '../ui/Switch.tsx'

/** The longest status that the server accepts, in characters. */
const maxLength = 60

/** The user's status: a line that may begin with an emoji, and whether the user is away. */
export function StatusForm({ onDone }: { onDone?: () => void }) {
  const { text, isAway } = getOwnStatus()
  const typed = useSignal<string | undefined>(undefined)
  const field = useRef<HTMLInputElement>(null)
  const value = typed.value ?? text
  const save = async (status: string) => {
    if (!(await changeStatusText(status.trim()))) return
    typed.value = undefined
    onDone?.()
  }
  return (
    <div class="StatusForm">
      <form
        class="StatusForm-line"
        onSubmit={(event) => {
          event.preventDefault()
          void save(value)
        }}
      >
        <EmojiButton
          label={t('status.emoji')}
          onChoose={({ glyph, name }) => {
            typed.value = `${glyph || `:${name}:`} ${value}`.slice(0, maxLength)
            field.current?.focus()
          }}
        />
        <input
          ref={field}
          class="Field-input"
          type="text"
          aria-label={t('status.text')}
          placeholder={t('status.placeholder')}
          maxLength={maxLength}
          autocomplete="off"
          value={value}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value
          }}
        />
        <Button look="primary" type="submit" disabled={value.trim() === text}>
          {t('status.save')}
        </Button>
        {text !== '' && <Button onClick={() => void save('')}>{t('status.clear')}</Button>}
      </form>
      <Switch
        label={t('status.away')}
        hint={t('status.away_hint')}
        isOn={isAway}
        onChange={(isOn) => void changeAway(isOn)}
      />
    </div>
  )
}

/** A dialog for the user's status, which any view can open. */
export function StatusDialog() {
  return (
    <Dialog title={t('status.title')} onClose={closeDialog}>
      <StatusForm onDone={() => closeDialogOf('status')} />
    </Dialog>
  )
}
