import './Empty.css'
import type { ComponentChildren } from 'preact'
import { Icon } from './Icon.tsx'
import type { IconName } from './icon-names.generated.ts'

export interface EmptyProps {
  icon: IconName
  title: string
  text?: string
  /** Links and buttons for next steps. */
  children?: ComponentChildren
}

/** Shown in an empty view: explains what it would contain, and what to do next. */
export function Empty({ icon, title, text, children }: EmptyProps) {
  return (
    <div class="Empty">
      <span class="Empty-icon">
        <Icon name={icon} />
      </span>
      <p class="Empty-title">{title}</p>
      {text && <p class="Empty-text">{text}</p>}
      {children && <div class="Empty-next">{children}</div>}
    </div>
  )
}
