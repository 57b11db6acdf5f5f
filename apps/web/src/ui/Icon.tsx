import './Icon.css'
import type { IconName } from './icon-names.generated.ts'
import url from './icons.svg?url'

/** A decorative icon beside a text, hidden from screen readers. */
export function Icon({ name, class: more }: { name: IconName; class?: string }) {
  const isMirrored = mirrored.has(name)
  return (
    <svg class={`Icon${isMirrored ? ' Icon-mirrored' : ''}${more ? ` ${more}` : ''}`} aria-hidden="true">
      <use href={`${url}#${name}`} />
    </svg>
  )
}

/** Icons that are mirrored for right-to-left text. */
const mirrored: ReadonlySet<IconName> = new Set([
  'arrow-left',
  'arrow-right',
  'chevron-left',
  'chevron-right',
  'corner-up-right',
  'list',
  'list-ordered',
  'log-out',
  'panel-right',
  'reply',
  'send-horizontal',
])
