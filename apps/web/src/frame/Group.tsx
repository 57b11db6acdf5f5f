import './Group.css'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { t } from '../text/t.ts'
import { Icon } from '../ui/Icon.tsx'

export interface GroupProps {
  title: string
  /** A sentence about all settings of the group. */
  hint?: ComponentChildren
  /** Whether the settings are stored only in this browser, not with the account. */
  isStoredOnDevice?: boolean
  children: ComponentChildren
}

/** Settings under one heading. */
export function Group({ title, hint, isStoredOnDevice, children }: GroupProps) {
  const id = useId()
  return (
    <section class="Group" aria-labelledby={id}>
      <div class="Group-head">
        <h2 class="Group-title" id={id}>
          {title}
        </h2>
        {isStoredOnDevice && (
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
