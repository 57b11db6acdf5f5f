import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { listFiles } from './paste.ts'

/**
 * Calls `onFiles` with files that are dropped anywhere on the page. Returns whether files are being
 * dragged over it. While a dialog is open, only a composer inside it takes files.
 */
export function useDroppedFiles(
  form: RefObject<HTMLElement | null>,
  onFiles: (files: readonly File[]) => void,
): boolean {
  const [isDragged, setDragged] = useState(false)
  useEffect(() => {
    const ended = new AbortController()
    const { signal } = ended
    const takesFiles = ({ dataTransfer }: DragEvent) =>
      dataTransfer?.types.includes('Files') === true && !isOwnDrag() && isReachable(form.current)
    addEventListener('dragover', (event) => setDragged(takesFiles(event)), { signal })
    addEventListener(
      'dragleave',
      ({ relatedTarget }) => {
        // `relatedTarget` is null only if the pointer leaves the page.
        if (!relatedTarget) setDragged(false)
      },
      { signal },
    )
    addEventListener(
      'drop',
      (event) => {
        setDragged(false)
        if (takesFiles(event)) onFiles(listFiles(event.dataTransfer))
      },
      { signal },
    )
    return () => ended.abort()
  }, [form, onFiles])
  return isDragged
}

/** The part of this page that is dragged. Browsers offer a dragged picture as a file too. */
let dragged: Node | undefined

/** Whether a part of this page is dragged. If it was removed, the end of the drag is not reported. */
const isOwnDrag = (): boolean => dragged?.isConnected === true

function isReachable(form: HTMLElement | null): boolean {
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1)
  return form !== null && (!dialog || dialog.contains(form))
}

/**
 * Prevents the browser from opening a dropped file in place of the client, and records drags that begin in
 * the page.
 */
export function startKeepingDrops(): void {
  document.addEventListener('dragstart', ({ target }) => {
    dragged = target instanceof Node ? target : undefined
  })
  document.addEventListener('dragend', () => {
    dragged = undefined
  })
  for (const name of ['dragover', 'drop'] as const)
    addEventListener(name, (event) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
    })
}
