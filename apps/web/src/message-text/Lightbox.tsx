import './Lightbox.css'
import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '../text/t.ts'
import { IconButton } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { lightbox, movePicture, type ShownPicture } from './lightbox.ts'

/** Shows the selected picture over the whole browser window. */
export function Lightbox() {
  const shown = lightbox.value
  const picture = shown?.pictures[shown.index]
  if (!shown || !picture) return null
  return <Opened picture={picture} index={shown.index} count={shown.pictures.length} />
}

function Opened({ picture, index, count }: { picture: ShownPicture; index: number; count: number }) {
  const ref = useRef<HTMLDialogElement>(null)
  const [failed, setFailed] = useState('')
  useEffect(() => {
    const opener = document.activeElement
    ref.current?.showModal()
    return () => {
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
    }
  }, [])
  return (
    <dialog
      ref={ref}
      class="Lightbox"
      // The picture gets the focus, not the first button.
      autofocus
      aria-label={picture.name}
      onCancel={close}
      onClick={({ target }) => {
        if (target === ref.current || (target as Element).classList.contains('Lightbox-stage')) close()
      }}
      onKeyDown={({ key }) => {
        const next = document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
        if (key === 'ArrowRight' || key === 'ArrowLeft') movePicture(key === next ? 1 : -1)
      }}
    >
      <header class="Lightbox-head">
        <span class="Cut Lightbox-name">
          <bdi>{picture.name}</bdi>
        </span>
        {count > 1 && (
          <span class="Lightbox-place">
            {t('lightbox.place', { place: String(index + 1), count: String(count) })}
          </span>
        )}
        <a class="Lightbox-link" href={picture.href} target="_blank" rel="noopener noreferrer">
          <Icon name="external-link" />
          {t('lightbox.original')}
        </a>
        <IconButton icon="x" label={t('ui.close')} onClick={close} />
      </header>
      <div class="Lightbox-stage">
        {failed === picture.src ? (
          <p class="Lightbox-gone">{t('lightbox.gone', { name: picture.name })}</p>
        ) : (
          <img src={picture.src} alt={picture.name} onError={() => setFailed(picture.src)} />
        )}
      </div>
      {count > 1 && (
        <>
          <IconButton
            class="Lightbox-before"
            icon="chevron-left"
            label={t('lightbox.before')}
            disabled={index === 0}
            onClick={() => movePicture(-1)}
          />
          <IconButton
            class="Lightbox-after"
            icon="chevron-right"
            label={t('lightbox.after')}
            disabled={index === count - 1}
            onClick={() => movePicture(1)}
          />
        </>
      )}
    </dialog>
  )
}

function close(): void {
  lightbox.value = undefined
}
