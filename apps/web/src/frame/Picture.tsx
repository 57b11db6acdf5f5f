import './Picture.css'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { maxAvatarMebibytes } from '../client/store.ts'
import { readRefusal } from '../text/refusal.ts'
import { t } from '../text/t.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Group } from './Group.tsx'

const bytesPerMebibyte = 1_048_576

export interface PictureProps {
  /** The account, its name, and the URL of its picture. */
  user_id: number
  name: string
  url: string
  /** Confirmation after the picture was changed. */
  saved: string
  /** The reason why the picture cannot be changed. */
  locked?: string | undefined
  onUpload: (file: File) => Promise<unknown>
  /** Omitted if there is no picture to remove. */
  onRemove?: (() => Promise<unknown>) | undefined
}

/** The avatar of an account. Like every setting, a chosen file is saved at once. */
export function Picture({ user_id, name, url, saved, locked, onUpload, onRemove }: PictureProps) {
  const chosen = useSignal<{ file: File; url: string } | undefined>(undefined)
  const problem = useSignal<string | undefined>(undefined)
  const isBusy = useSignal(false)
  const isSaved = useSignal(false)
  const input = useRef<HTMLInputElement>(null)
  const actions = useRef<HTMLDivElement>(null)
  const max = maxAvatarMebibytes.value ?? 5
  const forget = () => {
    if (chosen.peek()) URL.revokeObjectURL(chosen.peek()?.url ?? '')
    chosen.value = undefined
    if (input.current) input.current.value = ''
  }
  useEffect(() => forget, [])
  const choose = (file: File | undefined) => {
    forget()
    problem.value = undefined
    isSaved.value = false
    if (!file) return
    if (file.size > max * bytesPerMebibyte) problem.value = t('upload.too_large', { max })
    else {
      chosen.value = { file, url: URL.createObjectURL(file) }
      void run(() => onUpload(file))
    }
  }
  const run = async (call: () => Promise<unknown>) => {
    if (isBusy.peek()) return
    isBusy.value = true
    problem.value = undefined
    isSaved.value = false
    try {
      await call()
      problem.value = undefined
      isSaved.value = true
    } catch (error) {
      problem.value ??= readRefusal(error).reason
    }
    forget()
    isBusy.value = false
  }
  const remove = async () => {
    if (isBusy.peek() || !onRemove) return
    // The button that has the focus disappears with the picture.
    actions.current?.querySelector('button')?.focus()
    await run(onRemove)
  }
  return (
    <Group title={t('picture.title')}>
      <div class="Picture">
        <span class="Picture-frame">
          {chosen.value ? (
            <img
              src={chosen.value.url}
              alt={t('picture.preview', { name: chosen.value.file.name })}
              onError={() => {
                problem.value = t('picture.unreadable', { name: chosen.value?.file.name ?? '' })
                forget()
              }}
            />
          ) : (
            <Avatar user_id={user_id} url={url} name={name} size="l" />
          )}
        </span>
        <div class="Picture-controls">
          {locked !== undefined ? (
            <Notice>{locked}</Notice>
          ) : (
            <>
              <p class="Picture-hint">{t('picture.hint', { max })}</p>
              <div ref={actions} class="Picture-actions">
                <Button
                  icon="upload"
                  aria-disabled={isBusy.value}
                  onClick={() => !isBusy.peek() && input.current?.click()}
                >
                  {isBusy.value ? t('picture.saving') : t('picture.choose')}
                </Button>
                {onRemove && (
                  <Button icon="trash-2" aria-disabled={isBusy.value} onClick={() => void remove()}>
                    {t('picture.remove')}
                  </Button>
                )}
              </div>
            </>
          )}
          <p class="Picture-saved" role="status">
            {isSaved.value && saved}
          </p>
          {problem.value && (
            <p class="Field-problem" role="alert">
              {problem.value}
            </p>
          )}
        </div>
      </div>
      <input
        ref={input}
        type="file"
        hidden
        accept="image/png,image/jpeg,image/gif,image/webp"
        onChange={({ currentTarget }) => choose(currentTarget.files?.[0])}
      />
    </Group>
  )
}
