import './Undo.css'
import { useEffect, useState } from 'preact/hooks'
import { dropUndo, type UndoLine, undoLines } from '../client/undo.ts'
import { t } from '../text/t.ts'
import { Button, IconButton } from '../ui/Button.tsx'

/** A line disappears after this time, unless the pointer or the focus is on it. */
const shownMs = 15_000

/** The list of actions that can be undone. Rendered once, by the shell. */
export function UndoLines() {
  const lines = undoLines.value
  return (
    <div class="Undo" role="status" data-region={lines.length > 0 ? 'undo' : undefined}>
      {lines.map((line) => (
        <Line key={line.id} line={line} />
      ))}
    </div>
  )
}

function Line({ line: { id, text, undo } }: { line: UndoLine }) {
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => dropUndo(id), shownMs)
    return () => clearTimeout(timer)
  }, [isHeld, id])
  return (
    <div
      class="Undo-line"
      role="presentation"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocusIn={() => setHeld(true)}
      onFocusOut={() => setHeld(false)}
    >
      <span class="Undo-text">{text}</span>
      <Button
        look="plain"
        onClick={() => {
          dropUndo(id)
          undo()
        }}
      >
        {t('ui.undo')}
      </Button>
      <IconButton icon="x" label={t('ui.close')} onClick={() => dropUndo(id)} />
    </div>
  )
}
