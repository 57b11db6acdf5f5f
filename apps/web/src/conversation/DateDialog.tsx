import { useSignal } from '@preact/signals'
import { today } from '../client/formats/today.ts'
import { closeDialog } from '../client/open-dialogs.ts'
import { openRoute, route } from '../client/route/router.ts'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Field } from '../ui/Field.tsx'

/** Asks for a day, and opens the list of messages at that day. */
export function DateDialog() {
  const date = useSignal(today.value)
  const go = () => {
    const current = route.peek()
    if (current.view !== 'narrow' || !/^\d{4}-\d\d-\d\d$/.test(date.value)) return
    closeDialog()
    openRoute({ ...current, at: { date: date.value } })
  }
  return (
    <Dialog
      title={t('conversation.go_to_date')}
      onClose={closeDialog}
      actions={
        <>
          <Button onClick={closeDialog}>{t('ui.cancel')}</Button>
          <Button look="primary" onClick={go}>
            {t('conversation.go')}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          go()
        }}
      >
        <Field label={t('conversation.date')}>
          <input
            type="date"
            autofocus
            max={today.value}
            value={date.value}
            onInput={({ currentTarget }) => {
              date.value = currentTarget.value
            }}
          />
        </Field>
      </form>
    </Dialog>
  )
}
