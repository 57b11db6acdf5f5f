import { singleKeys } from '../client/device/device-settings.ts'
import { closeDialog, isOpen, jumpText, openJump } from '../client/open-dialogs.ts'
import { hasRoute } from '../client/route/has-route.ts'
import { openRoute } from '../client/route/router.ts'
import { isReady } from '../client/store.ts'
import { isTyping } from '../messages/roving-focus.ts'
import { isSingleKey, nameKey } from '../ui/key-binding.ts'
import { type Command, commands } from './map.ts'

/** Handles the keys of commands while no field has the focus, and Ctrl K (⌘ K) everywhere. */
export function startCommandKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || !isReady.peek() || event.isComposing) return
    const handle = isJumpKey(event) ? toggleJump : isWaitingForJump() ? collectTyped : pressCommand
    if (handle(event)) event.preventDefault()
  })
}

const isJumpKey = ({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !shiftKey && !altKey

function toggleJump(): boolean {
  if (isOpen('jump')) closeDialog()
  else if (!document.querySelector('dialog[open]')) openJump()
  return true
}

/** Whether the dialog was requested and its chunk is still loading. */
const isWaitingForJump = (): boolean => isOpen('jump') && !document.querySelector('.Jump[open]')

/** Collects typed characters until the dialog is shown. */
function collectTyped({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (key === 'Escape') closeDialog()
  else if (key.length === 1 && !ctrlKey && !metaKey && !altKey) jumpText.value = `${jumpText.peek()}${key}`
  else return false
  return true
}

/** The first of two keys, until the second one is pressed. */
let prefix = ''

function pressCommand(event: KeyboardEvent): boolean {
  const { target } = event
  const pressed = nameKey(event)
  if (!(target instanceof Element) || isModifier(event.key)) return false
  if (!pressed.startsWith('Mod+') && (isTyping(target) || (isSingleKey(pressed) && !singleKeys.peek())))
    return false
  if (document.querySelector('dialog[open], [popover]:popover-open:not(.Tooltip)')) return false
  const name = prefix + pressed
  prefix = ''
  const command = commands.find(({ key }) => key === name)
  if (command && isPossible(command)) runCommand(command)
  else if (commands.some(({ key }) => key?.startsWith(`${name} `))) prefix = `${name} `
  else return false
  return true
}

const isModifier = (key: string): boolean => ['Shift', 'Control', 'Alt', 'Meta'].includes(key)

/** Returns whether a command is available now and its view exists. Reads signals. */
export const isPossible = ({ does, isOffered }: Command): boolean =>
  (typeof does === 'function' || hasRoute(does)) && (isOffered?.() ?? true)

export function runCommand({ does }: Command): void {
  if (typeof does === 'function') does()
  else openRoute(does)
}
