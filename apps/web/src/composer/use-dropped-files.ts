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
      dataTransfer?.types.includes('Files') === true && isReachable(form.current)
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

function isReachable(form: HTMLElement | null): boolean {
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1)
  return form !== null && (!dialog || dialog.contains(form))
}

/** Prevents the browser from opening a dropped file in place of the client. */
export function startKeepingDrops(): void {
  for (const name of ['dragover', 'drop'] as const)
    addEventListener(name, (event) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
    })
}
