import './Dialog.css'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { t } from '../text/t.ts'
import { IconButton } from './Button.tsx'
import { useOutsideClick } from './use-outside-click.ts'

export interface DialogProps {
  title: string
  onClose: () => void
  children: ComponentChildren
  /** Buttons at the end of the dialog. */
  actions?: ComponentChildren
  /** `sheet` slides in from the side, and from the bottom on phones. */
  look?: 'dialog' | 'sheet'
}

/**
 * A modal dialog, open as long as it is rendered. The browser keeps the focus inside, and closing
 * returns it to the opener. Esc and a click outside call `onClose`.
 */
export function Dialog({ title, onClose, children, actions, look = 'dialog' }: DialogProps) {
  const heading = useId()
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const opener = document.activeElement
    ref.current?.showModal()
    // If no field has `autofocus`, the title gets the focus, so that screen readers begin there and no key
    // triggers a button by accident.
    const field = ref.current?.querySelector<HTMLElement>('[autofocus]')
    ;(field ?? document.getElementById(heading))?.focus()
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [heading])
  return (
    <dialog
      ref={ref}
      class={look === 'sheet' ? 'Dialog Sheet' : 'Dialog'}
      aria-labelledby={heading}
      {...useOutsideClick(onClose)}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <div class="Dialog-content">
        <header class="Dialog-head">
          <h2 id={heading} class="Dialog-title" tabIndex={-1}>
            {title}
          </h2>
          <IconButton icon="x" label={t('ui.close')} onClick={onClose} />
        </header>
        <div class="Dialog-body">{children}</div>
        {actions && <footer class="Dialog-actions">{actions}</footer>}
      </div>
    </dialog>
  )
}
