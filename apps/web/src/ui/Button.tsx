import './Button.css'
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { Icon } from './Icon.tsx'
import type { IconName } from './icon-names.generated.ts'
import { Tooltip } from './Tooltip.tsx'

type Native = Omit<ButtonHTMLAttributes, 'class' | 'icon'>

export interface ButtonProps extends Native {
  /** `primary` for the one main action of a view or dialog; `plain` for a button without a border. */
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
  /** Accessible name, also shown as a tooltip. */
  label: string
  isPressed?: boolean
  class?: string
}

/** A button with only an icon. Use it only for well-known icons. */
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
