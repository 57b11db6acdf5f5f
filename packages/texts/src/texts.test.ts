import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileMessages, findDifferences, type LaterMessages } from '../scripts/compile.ts'
import { chooseLanguage } from './choose-language.ts'
import { translateFor, translateTo } from './index.ts'
import { createTranslate } from './translate.ts'

const paths = { messages: 'messages', translate: './translate.ts' }

test('catalogues with different keys or arguments are refused', () => {
  const en = {
    hello: 'Hello {name}',
    count: '{n, plural, one {# page} other {# pages}}',
    link: 'See <a>this</a>',
  }
  assert.deepEqual(findDifferences(en, { ...en, hello: 'Hallo {name}' }), [])
  assert.deepEqual(
    findDifferences(en, { hello: 'Hallo {nam}', count: '{n} Seiten', link: 'Siehe dies', more: 'mehr' }),
    [
      'more is not a key of en',
      'hello takes {"nam":"text"} instead of {"name":"text"}',
      'count takes {"n":"text"} instead of {"n":"number"}',
      'link takes {} instead of {"a":"tag"}',
    ],
  )
  assert.deepEqual(findDifferences(en, { hello: en.hello }), ['count is missing', 'link is missing'])
  assert.throws(() => compileMessages({ en, de: {} }, paths), /de: hello is missing/)
  assert.throws(
    () => compileMessages({ en, ar: {} }, { ...paths, incomplete: ['de'] }),
    /ar: hello is missing/,
  )
  const incomplete = compileMessages({ en, ar: { hello: 'مرحبا {name}' } }, { ...paths, incomplete: ['ar'] })
  assert.match(incomplete['ar.generated.ts'] ?? '', /Partial<CatalogueOf<Messages>>/)
  assert.throws(
    () => compileMessages({ en, ar: { hello: 'مرحبا' } }, { ...paths, incomplete: ['ar'] }),
    /hello takes/,
  )
  assert.throws(() => compileMessages({ en: { broken: 'Hello {name' } }, paths))
})

test('English messages of later groups are written to a second file, and new groups to the first', () => {
  const en = { 'nav.open': 'Open', 'bots.title': 'Bots', 'bots.new': 'New bot', 'botany.title': 'Botany' }
  const later = { groups: ['bots'], except: ['bots.new'] }
  const files = compileMessages({ en, de: en }, { ...paths, later })
  const keysOf = (name: string) => [...(files[name] ?? '').matchAll(/^ {2}'(.+)':/gm)].map(([, key]) => key)

  assert.deepEqual(keysOf('en.generated.ts'), ['nav.open', 'bots.new', 'botany.title'])
  assert.deepEqual(keysOf('en-later.generated.ts'), ['bots.title'])
  assert.match(files['en-later.generated.ts'] ?? '', /export const enLater: Partial<CatalogueOf<Messages>>/)
  for (const name of ['messages.generated.ts', 'de.generated.ts'])
    assert.deepEqual(keysOf(name), Object.keys(en), name)
  const compileLater = (later: LaterMessages) => compileMessages({ en }, { ...paths, later })
  assert.throws(() => compileLater({ groups: ['bot'], except: [] }), /no key is in the group bot /)
  for (const key of ['bots.old', 'nav.open'])
    assert.throws(() => compileLater({ ...later, except: [key] }), new RegExp(`${key} is no key of`))
})

test('a text that the catalogue lacks comes from the fallback, also if it was added there later', () => {
  const fallback = { one: 'one', two: 'two' }
  const t = createTranslate<{ one: object; two: object }, 'ar'>('ar', { one: 'واحد' }, fallback)
  assert.deepEqual([t('one'), t('two')], ['واحد', 'two'])
  Object.assign(fallback, { two: 'changed' })
  assert.equal(t('two'), 'changed')
})

test('texts use the plurals and number formats of their language', () => {
  const [en, de] = [translateTo('en'), translateTo('de')]
  assert.equal(en('wait.minutes', { minutes: 1 }), 'Try again in 1 minute.')
  assert.equal(en('wait.minutes', { minutes: 1200 }), 'Try again in 1,200 minutes.')
  assert.equal(de('wait.minutes', { minutes: 1200 }), 'Versuchen Sie es in 1.200 Minuten wieder.')
})

test('markup in arguments is kept separate from the text', () => {
  const link = { href: '/terms' }
  const pieces = translateTo('en').pieces<'account.terms', object>('account.terms', {
    link: (content) => ({ ...link, content }),
  })
  assert.deepEqual(pieces, ['I accept the ', { ...link, content: ['terms'] }, '.'])
})

test('the language is chosen by the preferences in the Accept-Language header', () => {
  const choose = (header?: string) => chooseLanguage(header, ['en', 'de'])
  for (const header of [
    undefined,
    '',
    'fr',
    '*',
    'en-GB',
    'de;q=0.3,en',
    'de;q=0',
    'fr, *;q=0.1, de;q=0',
    ',;=,q',
    'x'.repeat(99_999),
  ])
    assert.equal(choose(header), 'en', header?.slice(0, 40))
  for (const header of ['de', 'de-AT', 'DE', 'fr,de;q=0.5,en;q=0.4', 'en;q=0.8, de-CH'])
    assert.equal(choose(header), 'de', header)
  assert.equal(translateFor('de-CH,de').language, 'de')
})
