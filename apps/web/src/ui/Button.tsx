import './Button.css'
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { Icon } from './Icon.tsx'
import type { IconName } from './icon-names.generated.ts'
import { Tooltip } from './Tooltip.tsx'

type Native = Omit<ButtonHTMLAttributes, 'class' | 'icon'>

export interface ButtonProps extends Native {
  /** `primary` for the one main action of a place; `plain` where a frame would be too loud. */
  look?: 'primary' | 'quiet' | 'plain' | 'danger'
  icon?: IconName
  children: ComponentChildren
}

export function Button({ look = 'quiet', icon, children, ...native }: ButtonProps) {
  return (
    <button type="button" {...native} class={`Button Button-${look}`}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

export interface IconButtonProps extends Native {
  icon: IconName
  /** Said by screen readers and shown by a tooltip. */
  label: string
  isPressed?: boolean
  class?: string
}

/** A button without words, for places where its icon is well known. */
export function IconButton({ icon, label, isPressed, class: more, ...native }: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <button
        type="button"
        {...native}
        class={`IconButton${more ? ` ${more}` : ''}`}
        aria-label={label}
        aria-pressed={isPressed}
      >
        <Icon name={icon} />
      </button>
    </Tooltip>
  )
}
