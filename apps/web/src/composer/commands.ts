import { makeLink, type Selected, type TextEdit, toggleCode, toggleLines, toggleMarks } from './insert.ts'
import type { ComposerCommand } from './keys.ts'

/** Returns the edit of a formatting command; undefined for other commands. */
export function editForCommand(command: ComposerCommand, selected: Selected): TextEdit | undefined {
  switch (command) {
    case 'bold':
      return toggleMarks(selected, '**')
    case 'italic':
      return toggleMarks(selected, '*')
    case 'code':
      return toggleCode(selected)
    case 'link':
      return makeLink(selected)
    case 'bullets':
    case 'numbers':
    case 'quote':
      return toggleLines(selected, command)
    default:
      return undefined
  }
}
