import './FoldedBody.css'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../text/t.ts'
import { Body } from './Body.tsx'
import { foldEvent } from './fold-event.ts'

/** Messages higher than this fraction of the list are collapsed. */
const maxShare = 0.65
/**
 * Height of a collapsed message as a fraction of the list. It is well below `maxShare`, so that the
 * button always reveals a useful amount of text.
 */
const foldedShare = 0.45

/**
 * HTML with fewer characters is never collapsed. Its height is not measured, because measuring makes the
 * browser lay out the page.
 */
const minLength = 150

/** Two rows of pictures are never the reason to collapse a message: this is their height in pixels. */
const maxPicturesHeight = 2 * 168

/** Returns the height of a text in pixels, without that of its pictures up to a maximum. */
function measure(text: HTMLElement): number {
  const pictures = [...text.querySelectorAll<HTMLElement>('.message_pictures')]
  const height = pictures.reduce((sum, { offsetHeight }) => sum + offsetHeight, 0)
  return text.getBoundingClientRect().height - Math.min(height, maxPicturesHeight)
}

/** Ids of long messages that the user has expanded. */
const unfolded = new Set<number>()

/** The text of a message. A long one is collapsed, with a button that expands it. */
export function FoldedBody({ html, id, messageId }: { html: string; id: string; messageId: number }) {
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const show = (isFolded: boolean, isLong = true) => {
    if (!box.current || !button.current) return
    box.current.toggleAttribute('data-folded', isFolded)
    button.current.hidden = !isLong
    button.current.setAttribute('aria-expanded', String(!isFolded))
    button.current.textContent = isFolded ? t('message.unfold') : t('message.fold')
  }
  // The height is set before the list is scrolled to its position, so that nothing moves.
  useLayoutEffect(() => {
    const text = box.current
    const isShort = html.length < minLength
    if (isShort && button.current?.hidden) return
    const height = text?.closest('.MessageList-scroller')?.clientHeight ?? 0
    if (!text || height === 0) return
    text.removeAttribute('data-folded')
    const isLong = !isShort && measure(text) > height * maxShare
    if (isLong) text.style.setProperty('--folded', `${Math.round(height * foldedShare)}px`)
    if (isLong || !button.current?.hidden) show(isLong && !unfolded.has(messageId), isLong)
  }, [html, messageId])
  const toggle = () => {
    const isFolded = !box.current?.hasAttribute('data-folded')
    if (isFolded) unfolded.delete(messageId)
    else unfolded.add(messageId)
    show(isFolded)
    // The event makes the list keep its scroll position, even if it was at its end.
    box.current?.dispatchEvent(new Event(foldEvent, { bubbles: true }))
    if (isFolded) box.current?.closest('article')?.scrollIntoView({ block: 'nearest' })
  }
  /** Expands the message when the focus moves to a link that is not in view. */
  const showFocused = ({ target }: FocusEvent) => {
    const hidesFrom = box.current?.getBoundingClientRect().bottom ?? 0
    const isHidden = (target as Element).getBoundingClientRect().top >= hidesFrom
    if (isHidden && box.current?.hasAttribute('data-folded')) toggle()
  }
  return (
    <>
      <div ref={box} class="FoldedBody" onFocusIn={showFocused}>
        <Body html={html} id={id} />
      </div>
      <button ref={button} type="button" class="FoldedBody-button" hidden onClick={toggle} />
    </>
  )
}
