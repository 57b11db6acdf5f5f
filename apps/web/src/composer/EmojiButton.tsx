import { t } from '../text/t.ts'
import { IconButton } from '../ui/Button.tsx'
import { Popover } from '../ui/Popover.tsx'
import { EmojiPicker } from './EmojiPicker.tsx'
import type { EmojiChoice } from './emoji-choices.ts'

/** A button that opens the emoji picker. The picker closes when an emoji is chosen. */
export function EmojiButton({
  onChoose,
  icon = 'smile',
  label = t('emoji.choose'),
}: {
  onChoose: (choice: EmojiChoice) => void
  icon?: 'smile' | 'smile-plus'
  label?: string
}) {
  return (
    <Popover label={label} button={(properties) => <IconButton icon={icon} label={label} {...properties} />}>
      <EmojiPicker onChoose={onChoose} />
    </Popover>
  )
}
