import './Styleguide.css'
import { useEffect, useState } from 'preact/hooks'
import { Components } from './Components.tsx'
import { Tokens } from './Tokens.tsx'

const looks = ['light', 'dark', 'light contrast', 'dark contrast'] as const

/**
 * Shows all tokens and components in every theme. Available only in development, at /styleguide.
 * Its texts are not translated.
 */
export function Styleguide() {
  const [look, setLook] = useState<(typeof looks)[number]>('light')
  const [direction, setDirection] = useState<'ltr' | 'rtl'>('ltr')
  useEffect(() => {
    const root = document.documentElement
    root.dataset.theme = look.startsWith('dark') ? 'dark' : 'light'
    if (look.endsWith('contrast')) root.dataset.contrast = 'more'
    else delete root.dataset.contrast
    root.dir = direction
    document.title = 'Style guide'
  }, [look, direction])
  return (
    <main class="Styleguide">
      <header class="Styleguide-head">
        <h1>Style guide</h1>
        <label>
          Look{' '}
          <select
            class="Field-input"
            value={look}
            onChange={({ currentTarget }) => setLook(currentTarget.value as (typeof looks)[number])}
          >
            {looks.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          Direction{' '}
          <select
            class="Field-input"
            value={direction}
            onChange={({ currentTarget }) => setDirection(currentTarget.value as 'ltr' | 'rtl')}
          >
            <option>ltr</option>
            <option>rtl</option>
          </select>
        </label>
      </header>
      <Tokens />
      <Components />
    </main>
  )
}
