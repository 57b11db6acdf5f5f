import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ComposerCommand, findCommand, type PressedKey } from './keys.ts'

/** Parses keys in a notation like `Ctrl Shift KeyL`. */
function press(keys: string): PressedKey {
  const parts = keys.split(' ')
  const code = parts.at(-1) ?? ''
  return {
    key: code.replace(/^(Key|Digit)/, ''),
    code,
    ctrlKey: parts.includes('Ctrl'),
    metaKey: parts.includes('Meta'),
    shiftKey: parts.includes('Shift'),
    altKey: parts.includes('Alt'),
    isComposing: parts.includes('Composing'),
  }
}

const cases: [string, boolean, boolean, ComposerCommand | undefined][] = [
  // keys, whether Enter sends, whether the text is empty
  ['Enter', true, false, 'send'],
  ['Enter', false, false, 'line'],
  ['Shift Enter', true, false, 'line'],
  ['Ctrl Enter', true, false, 'line'],
  ['Ctrl Enter', false, false, 'send'],
  ['Meta Enter', false, false, 'send'],
  ['Composing Enter', true, false, undefined],
  ['Escape', true, false, 'leave'],
  ['ArrowUp', true, true, 'edit last'],
  ['ArrowUp', true, false, undefined],
  ['Alt KeyP', true, false, 'preview'],
  ['Ctrl KeyB', true, false, 'bold'],
  ['Meta KeyI', true, false, 'italic'],
  ['Ctrl Shift KeyL', true, false, 'link'],
  ['Ctrl Shift KeyC', true, false, 'code'],
  ['Ctrl KeyC', true, false, undefined],
  ['Ctrl Shift Digit7', true, false, 'numbers'],
  ['Ctrl Shift Digit8', true, false, 'bullets'],
  ['Ctrl Shift Period', true, false, 'quote'],
  ['KeyB', true, false, undefined],
]

for (const [keys, entersSend, isEmpty, command] of cases)
  test(`${keys} ${entersSend ? '' : 'where Enter inserts a line break '}${command ? `runs "${command}"` : 'is left to the browser'}`, () => {
    assert.equal(findCommand(press(keys), { entersSend, isEmpty }), command)
  })
