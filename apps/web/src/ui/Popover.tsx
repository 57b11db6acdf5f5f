import './Popover.css'
import type { ComponentChildren, Ref } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { useAnchor } from './use-anchor.ts'

export interface PopoverProps {
  /** Renders the button that opens the popover. Spread the given properties on a `<button>`. */
  button: (properties: PopoverButton) => ComponentChildren
  /** Accessible name. */
  label: string
  children: ComponentChildren
}

interface PopoverButton {
  ref: Ref<HTMLButtonElement>
  popovertarget: string
  'aria-expanded': boolean
  'aria-haspopup': 'dialog'
  style: Record<string, string>
}

/**
 * A small panel beside a button. The browser closes it on Esc or on a click outside, and returns
 * the focus.
 */
export function Popover({ button, label, children }: PopoverProps) {
  const { id, anchor, placed } = useAnchor()
  const [isOpen, setOpen] = useState(false)
  const ref = useRef<HTMLButtonElement>(null)
  return (
    <>
      {button({
        ref,
        popovertarget: id,
        'aria-expanded': isOpen,
        'aria-haspopup': 'dialog',
        style: anchor,
      })}
      <div
        id={id}
        class="Popover"
        popover="auto"
        role="dialog"
        aria-label={label}
        style={placed}
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {isOpen && children}
      </div>
    </>
  )
}
