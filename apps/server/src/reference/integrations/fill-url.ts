import { hash } from 'node:crypto'
import { Html } from '../../platform/html.ts'

/**
 * Script that inserts the typed values into every occurrence of the webhook URL. It sends nothing
 * to the server.
 */
const source = `
const [stream, topic, shown, copy] = ['stream', 'topic', 'url', 'copy'].map((id) => document.getElementById(id))
const base = new URL(shown.dataset.base)
base.searchParams.delete('stream')
const fill = () => {
  const url = new URL(base)
  for (const field of [stream, topic]) if (field.value.trim()) url.searchParams.set(field.id, field.value.trim())
  for (const element of [shown, ...document.querySelectorAll('.url')]) element.textContent = url.href
}
for (const field of [stream, topic]) field.addEventListener('input', fill)
document.querySelector('.Guide-fields').hidden = false
copy.hidden = !navigator.clipboard
copy.addEventListener('click', async () => {
  await navigator.clipboard.writeText(shown.textContent)
  copy.textContent = 'Copied'
  setTimeout(() => (copy.textContent = 'Copy'), 2000)
})
`

export const script = new Html(source)

/** Content security policy: no other script may run on the page. */
export const scriptPolicy = `script-src 'sha256-${hash('sha256', source, 'base64')}'`
