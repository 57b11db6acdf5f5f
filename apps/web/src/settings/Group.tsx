import './Group.css'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { t } from '../text/t.ts'
import { Icon } from '../ui/Icon.tsx'

export interface GroupProps {
  title: string
  /** A sentence about all settings of the group. */
  hint?: ComponentChildren
  /** The settings are stored in this browser and do not follow the account. */
  isOfDevice?: boolean
  children: ComponentChildren
}

/** Settings under one heading. */
export function Group({ title, hint, isOfDevice, children }: GroupProps) {
  const id = useId()
  return (
    <section class="Group" aria-labelledby={id}>
      <div class="Group-head">
        <h2 class="Group-title" id={id}>
          {title}
        </h2>
        {isOfDevice && (
          <p class="Group-device">
            <Icon name="laptop" />
            {t('settings.device_hint')}
          </p>
        )}
        {hint && <p class="Group-hint">{hint}</p>}
      </div>
      {children}
    </section>
  )
}
