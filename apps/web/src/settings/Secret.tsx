import './Secret.css'
import type { ComponentChildren } from 'preact'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'

export interface SecretProps {
  /** The secret; undefined while it is not shown. */
  value: string | undefined
  /** Text of the button that shows the secret. */
  action: string
  /** Name of the button that copies the secret, for screen readers. */
  copyLabel: string
  onShow: () => void
  onHide: () => void
  /** Further buttons. */
  children?: ComponentChildren
}

/** A key or token that is shown and copied on demand. */
export function Secret({ value, action, copyLabel, onShow, onHide, children }: SecretProps) {
  const isShown = value !== undefined
  return (
    <>
      {isShown && (
        <div class="Secret">
          <code class="Secret-value" dir="ltr">
            {value}
          </code>
          <CopyButton text={value} label={copyLabel} />
        </div>
      )}
      <div class="Secret">
        <Button icon={isShown ? 'eye-off' : 'eye'} onClick={isShown ? onHide : onShow}>
          {isShown ? t('api_key.hide') : action}
        </Button>
        {children}
      </div>
    </>
  )
}
