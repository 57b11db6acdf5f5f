import './Secret.css'
import { effect, untracked } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { connection, hasEnded } from '../client/connection.ts'
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

/**
 * A key or token that is shown and copied on demand. It is hidden when the session ends, and when the
 * document is left, because the browser may keep the document for the Back button.
 */
export function Secret({ value, action, copyLabel, onShow, onHide, children }: SecretProps) {
  const isShown = value !== undefined
  const hide = useRef(onHide)
  hide.current = onHide
  useEffect(() => {
    const onLeave = () => hide.current()
    addEventListener('pagehide', onLeave)
    const stop = effect(() => {
      if (hasEnded.value || connection.value.status === 'refused') untracked(onLeave)
    })
    return () => {
      removeEventListener('pagehide', onLeave)
      stop()
    }
  }, [])
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
