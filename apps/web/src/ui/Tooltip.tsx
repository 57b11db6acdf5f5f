import './Tooltip.css'
import { cloneElement, type VNode } from 'preact'
import { useRef } from 'preact/hooks'
import { useAnchor } from './use-anchor.ts'

type Child = VNode<Record<string, unknown>>
type Style = Record<string, string>

/** The pointer must rest on the control for this long. */
const restMs = 400

/**
 * Shows a text beside a control while the pointer rests on it, or while it has the keyboard focus.
 * Esc hides it. The text is not announced to screen readers, so it must repeat the control's name
 * or other visible text.
 */
export function Tooltip({ text, children }: { text: string; children: Child }) {
  const { anchor, placed } = useAnchor()
  const tip = useRef<HTMLSpanElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const show = () => {
    if (!tip.current?.isConnected || tip.current.matches(':popover-open')) return
    try {
      tip.current.showPopover()
    } catch {
      // Another popover is closing and has returned the focus, so no tooltip is needed.
    }
  }
  const hide = () => {
    clearTimeout(timer.current)
    if (tip.current?.matches(':popover-open')) tip.current.hidePopover()
  }
  const control = cloneElement(children, {
    style: joinAnchors(children.props.style as Style | undefined, anchor),
    onPointerEnter: ({ pointerType }: PointerEvent) => {
      if (pointerType === 'mouse') timer.current = setTimeout(show, restMs)
    },
    onPointerLeave: hide,
    onPointerDown: hide,
    onFocusIn: ({ target }: FocusEvent) => {
      if ((target as Element).matches(':focus-visible')) show()
    },
    onFocusOut: hide,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Escape') hide()
      ;(children.props.onKeyDown as ((event: KeyboardEvent) => void) | undefined)?.(event)
    },
  })
  return (
    <>
      {control}
      <span ref={tip} class="Tooltip" popover="manual" aria-hidden="true" style={placed}>
        {text}
      </span>
    </>
  )
}

/** Combines two anchor names, because the control may also be the anchor of a menu. */
function joinAnchors(style: Style | undefined, anchor: Style): Style {
  const names = [style?.anchorName, anchor.anchorName].filter(Boolean).join(', ')
  return { ...style, ...anchor, anchorName: names }
}
