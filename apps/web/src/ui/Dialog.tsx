import './Dialog.css'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { t } from '../text/t.ts'
import { IconButton } from './Button.tsx'

export interface DialogProps {
  title: string
  onClose: () => void
  children: ComponentChildren
  /** Buttons at the end. */
  actions?: ComponentChildren
  /** `sheet` slides in from the side, and from the bottom on phones. */
  look?: 'dialog' | 'sheet'
}

/**
 * A modal dialog, open as long as it is rendered. The browser keeps the focus inside and restores
 * it afterwards; Esc and a click outside close it.
 */
export function Dialog({ title, onClose, children, actions, look = 'dialog' }: DialogProps) {
  const heading = useId()
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const opener = document.activeElement
    ref.current?.showModal()
    // The title gets the focus, so that screen readers begin there and no key triggers a button by
    // accident.
    ref.current?.querySelector<HTMLElement>('[autofocus], [tabindex="-1"]')?.focus()
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])
  const closeOutside = (event: MouseEvent) => {
    if (event.target === ref.current) onClose()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc is the key for it, which the browser turns into a cancel event.
    <dialog
      ref={ref}
      class={look === 'sheet' ? 'Dialog Sheet' : 'Dialog'}
      aria-labelledby={heading}
      onClick={closeOutside}
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
