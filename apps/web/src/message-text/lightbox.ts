import { signal } from '@preact/signals'

export interface ShownPicture {
  /** URL of the original picture. */
  href: string
  src: string
  name: string
}

export interface LightboxState {
  pictures: readonly ShownPicture[]
  index: number
}

/** The pictures in the lightbox, and the selected one; undefined while it is closed. */
export const lightbox = signal<LightboxState | undefined>(undefined)

const links = '.MessageList .message_inline_image:not(.youtube-video) a'

/** Opens the lightbox with a picture of a message. The user can browse all pictures of the list. */
export function openLightbox(link: HTMLAnchorElement): void {
  const all = [...document.querySelectorAll<HTMLAnchorElement>(links)]
  lightbox.value = { pictures: all.map(readPicture), index: Math.max(0, all.indexOf(link)) }
}

function readPicture(link: HTMLAnchorElement): ShownPicture {
  const image = link.querySelector('img')
  return {
    href: link.href,
    src: image?.dataset.srcFullsize || image?.src || link.href,
    name: image?.alt ?? '',
  }
}

/** Selects the next or previous picture of the list, if there is one. */
export function movePicture(step: 1 | -1): void {
  const shown = lightbox.peek()
  if (!shown) return
  const index = Math.min(Math.max(shown.index + step, 0), shown.pictures.length - 1)
  lightbox.value = { ...shown, index }
}
