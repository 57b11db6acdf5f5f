import './FormatBar.css'
import type { RefObject } from 'preact'
import { useRef } from 'preact/hooks'
import { type Key, t } from '../text/t.ts'
import { IconButton } from '../ui/Button.tsx'
import type { IconName } from '../ui/icon-names.generated.ts'
import { applyEdit, readSelected } from './apply-edit.ts'
import { editForCommand } from './commands.ts'
import { EmojiButton } from './EmojiButton.tsx'
import type { ComposerCommand } from './keys.ts'

/** Keys of texts that take no arguments and label a formatting button. */
type FormatKey = Key & `format.${string}`

const buttons: readonly { command: ComposerCommand; icon: IconName; key: FormatKey; isForPhones?: true }[] = [
  { command: 'bold', icon: 'bold', key: 'format.bold', isForPhones: true },
  { command: 'italic', icon: 'italic', key: 'format.italic' },
  { command: 'bullets', icon: 'list', key: 'format.bullets' },
  { command: 'numbers', icon: 'list-ordered', key: 'format.numbers' },
  { command: 'quote', icon: 'quote', key: 'format.quote' },
  { command: 'code', icon: 'code', key: 'format.code' },
  { command: 'link', icon: 'link', key: 'format.link' },
]

export interface FormatBarProps {
  field: RefObject<HTMLTextAreaElement | null>
  onFiles?: (files: readonly File[]) => void
}

/** Buttons for formatting, emoji and files. The formatting commands also have keyboard shortcuts. */
export function FormatBar({ field, onFiles }: FormatBarProps) {
  const chooser = useRef<HTMLInputElement>(null)
  const format = (command: ComposerCommand) => {
    const edit = field.current && editForCommand(command, readSelected(field.current))
    if (field.current && edit) applyEdit(field.current, edit)
  }
  const insert = (text: string) => {
    if (!field.current) return
    const { start, end } = readSelected(field.current)
    const caret = start + text.length
    applyEdit(field.current, { from: start, to: end, insert: text, start: caret, end: caret })
  }
  return (
    <div class="FormatBar" role="toolbar" aria-label={t('format.label')}>
      <span class="FormatBar-phone">
        <IconButton icon="at-sign" label={t('format.mention')} onClick={() => insert('@')} />
      </span>
      <EmojiButton onChoose={({ name }) => insert(`:${name}: `)} />
      {onFiles && (
        <>
          <IconButton icon="paperclip" label={t('format.file')} onClick={() => chooser.current?.click()} />
          <input
            ref={chooser}
            type="file"
            multiple
            hidden
            aria-label={t('format.file')}
            onChange={({ currentTarget }) => {
              onFiles([...(currentTarget.files ?? [])])
              currentTarget.value = ''
            }}
          />
        </>
      )}
      <span class="FormatBar-line" />
      {buttons.map(({ command, icon, key, isForPhones }) => (
        <span key={command} class={isForPhones ? undefined : 'FormatBar-wide'}>
          <IconButton icon={icon} label={t(key)} onClick={() => format(command)} />
        </span>
      ))}
    </div>
  )
}
