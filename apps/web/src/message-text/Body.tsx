import './Body.css'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { emojiSet } from '../client/store.ts'
import { handleBodyClick, renderBody } from './enrich.ts'
import { openLightbox } from './lightbox.ts'

/** The rendered text of a message. It is parsed again only if the HTML changed. */
export function Body({ html, id }: { html: string; id?: string }) {
  const ref = useRef<HTMLDivElement>(null)
  const namesEmoji = emojiSet.value === 'text'
  useLayoutEffect(() => {
    ref.current?.replaceChildren(renderBody(html, { namesEmoji }))
  }, [html, namesEmoji])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: clicks come from buttons and links inside, which have keys.
    // biome-ignore lint/a11y/noStaticElementInteractions: as above.
    <div ref={ref} id={id} class="Body" dir="auto" onClick={handleClick} />
  )
}

function handleClick(event: MouseEvent): void {
  const { target } = event
  if (!(target instanceof Element)) return
  if (handleBodyClick(target)) return
  const picture = target.closest('.message_inline_image:not(.youtube-video) a')
  if (!picture || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  openLightbox(picture as HTMLAnchorElement)
}
