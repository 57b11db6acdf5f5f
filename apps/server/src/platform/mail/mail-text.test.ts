import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderTopicLinks } from '@oxbow/markdown'
import { translateTo } from '@oxbow/texts'
import { linkable, mailText, toHarmlessName, translateMail } from './mail-text.ts'

test('a name in an e-mail contains nothing that becomes a link', () => {
  const names = [
    'http://evil.example/path',
    'https://localhost/x',
    'evil.example',
    'www.evil.example',
    'a@evil.example',
    'mailto:a@localhost',
    'evil.\u200bexample',
    'evil.\u2060example',
    'http:\u00ad//localhost',
    'evil。example evil．example evil｡example evil․example',
    'Iris. Read http://evil.example:8443/?a=b#c now',
    'bitcoin:1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
  ]
  for (const name of names) {
    const harmless = toHarmlessName(name)
    assert.deepEqual(renderTopicLinks(harmless.normalize('NFKC')), [], harmless)
    assert.doesNotMatch(harmless.normalize('NFKC'), /[.:@]\S/)
  }
})

test('a name in an e-mail is one short line without invisible characters', () => {
  assert.equal(toHarmlessName(' Iris\r\nBcc: a\u2028b\u0085c\tMoor '), 'Iris Bcc: a b c Moor')
  assert.equal(toHarmlessName('abc\u202edef\u2066\u200b'), 'abcdef')
  assert.equal(toHarmlessName('x'.repeat(61)), `${'x'.repeat(59)}…`)
  assert.equal([...toHarmlessName('🌹.'.repeat(500))].length, 60)
})

test('ordinary names stay as they are', () => {
  for (const name of [
    'Iris Moor',
    'Dr. Moor',
    "Ada O'Hara, Jr.",
    '李雷',
    '👩‍🌾 Garden',
    'می‌خواهم',
    'R & D',
    'x'.repeat(60),
  ])
    assert.equal(toHarmlessName(name), name)
})

test('strings in texts of e-mails become harmless names, and addresses of the server stay', () => {
  const name = 'http://evil.example'
  const address = linkable('https://chat.example/login')

  assert.equal(
    mailText`${name}: ${address}, ${3}`.text,
    'http: //evil. example: https://chat.example/login, 3',
  )
  assert.equal(
    translateMail(translateTo('en'), 'reset.email_moved', { organization: name, address }).text,
    'http: //evil. example has moved to https://chat.example/login. Your account is there, but passwords do not move.',
  )
  assert.match(translateMail(translateTo('de'), 'reset.email_moved_until', { days: 7 }).text, /7 Tage/)
})
