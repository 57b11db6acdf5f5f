import './Preview.css'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { renderText } from '../client/writing/render.ts'
import { Body } from '../message-text/Body.tsx'
import { t } from '../text/t.ts'

/** The preview is updated this long after the last key press. */
const debounceMs = 100

/** Shows a text as it will be rendered once it is sent. */
export function Preview({ text }: { text: string }) {
  const settled = useSignal(text)
  useEffect(() => {
    const timer = setTimeout(() => {
      settled.value = text
    }, debounceMs)
    return () => clearTimeout(timer)
  }, [text, settled])
  const html = settled.value.trim() === '' ? undefined : renderText(settled.value.trimEnd())?.html
  return (
    <section class="Preview" aria-label={t('composer.preview')}>
      {html === undefined ? <p class="Preview-empty">{t('composer.preview_empty')}</p> : <Body html={html} />}
    </section>
  )
}
