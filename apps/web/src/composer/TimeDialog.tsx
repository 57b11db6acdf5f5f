import './TimeDialog.css'
import { useSignal } from '@preact/signals'
import { formatShortDateTime } from '../client/formats/dates.ts'
import { timeAt } from '../client/formats/local-time.ts'
import { listUsualTimes } from '../client/formats/usual-times.ts'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { TimeField, toFieldValue } from './TimeField.tsx'

export interface TimeDialogProps {
  title: string
  /** Label of the button that accepts the typed time. */
  confirm: string
  onChoose: (time: Date) => void
  onClose: () => void
}

/** Asks for a future time: a common one, or any other that the user types. */
export function TimeDialog({ title, confirm, onChoose, onClose }: TimeDialogProps) {
  const usual = listUsualTimes()
  const typed = useSignal(toFieldValue(usual[1]?.time ?? new Date()))
  const problem = useSignal<string | undefined>(undefined)
  const choose = (time: Date) => {
    onClose()
    onChoose(time)
  }
  const chooseTyped = () => {
    const time = new Date(timeAt(typed.value))
    if (time.getTime() > Date.now()) choose(time)
    else problem.value = t('later.past')
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <ul class="TimeDialog-times">
        {usual.map(({ text, time }) => (
          <li key={text}>
            <button type="button" class="TimeDialog-time" onClick={() => choose(time)}>
              {text}
              <span class="TimeDialog-when">{formatShortDateTime(time)}</span>
            </button>
          </li>
        ))}
      </ul>
      <form
        class="TimeDialog-other"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          chooseTyped()
        }}
      >
        <TimeField
          label={t('later.other')}
          value={typed.value}
          problem={problem.value}
          onInput={(value) => {
            typed.value = value
            problem.value = undefined
          }}
        />
        <Button type="submit" look="primary">
          {confirm}
        </Button>
      </form>
    </Dialog>
  )
}
