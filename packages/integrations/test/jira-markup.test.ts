import assert from 'node:assert/strict'
import { test } from 'node:test'
import { convertMarkup, listMentioned } from '../src/services/jira/markup.ts'

const names = new Map([['otto', 'Otto Brook']])
const convert = (source: string) => convertMarkup(source, (user) => names.get(user))

const cases: [string, string, string][] = [
  ['bold', 'It is *very* cold, *isn’t it*?', 'It is **very** cold, **isn’t it**?'],
  ['stars that do not mark bold text', '2*3*4, * not *, snake*case*', '2*3*4, * not *, snake*case*'],
  ['monospaced text', 'Run {{npm test}} now', 'Run `npm test` now'],
  ['a backtick in monospaced text', '{{a`b}}', '`` a`b ``'],
  ['a quoted line', 'bq. so *they* say', '> so **they** say'],
  ['text after a quoted line', 'bq. a\nbq. b\nc\nd', '> a\n> b\n\nc\nd'],
  ['a quote', 'He said\n{quote}\nIt *is* cold\n{quote}\nYes', 'He said\n``` quote\nIt **is** cold\n```\nYes'],
  ['a quote that is not closed', '{quote}\nIt is cold', 'It is cold'],
  ['code', '{code}\nlet *a* = {{1}}\n{code}', '```\nlet *a* = {{1}}\n```'],
  ['code with a language', 'See {code:java}int a;{code} there', 'See\n```java\nint a;\n```\nthere'],
  [
    'code with a title',
    '{code:title=Bed.java|java|linenumbers=true}\nint a;\n{code}',
    '```java\nint a;\n```',
  ],
  ['code that is not closed', '{code}\n*a*', '{code}\n**a**'],
  ['preformatted text', '{noformat}\n{code}\n{noformat}', '```\n{code}\n```'],
  ['code in a quote', '{quote}\n{code}\na\n{code}\n{quote}', '~~~~ quote\n```\na\n```\n~~~~'],
  ['a link', 'See [https://example.com/a?b=c]!', 'See https://example.com/a?b=c!'],
  ['a link with a text', 'See [the page|https://example.com]', 'See [the page](https://example.com)'],
  ['a link with three parts', '[the page|https://example.com|smart-link]', '[the page](https://example.com)'],
  ['a link that is not an HTTP URL', '[me|mailto:iris@example.com]', 'me'],
  ['a link to a script', '[me|javascript:alert(1)]', 'me'],
  ['brackets', 'a[0] and [x]', 'a[0] and [x]'],
  ['a mention of a known user', 'Ask [~otto]', 'Ask **Otto Brook**'],
  ['a mention of an unknown user', 'Ask [~mara]', 'Ask **mara**'],
  ['a mention by account id of Jira Cloud', 'Ask [~accountid:557058:ab-cd]', 'Ask **someone**'],
  ['lists', '* a\n** b\n- c', '* a\n  * b\n* c'],
  ['numbered lists', '# a\n## b', '1. a\n  1. b'],
  ['colours', '{color:red}hot{color}', 'hot'],
]

for (const [name, source, expected] of cases)
  test(`Jira markup is converted: ${name}`, () => {
    assert.equal(convert(source), expected)
  })

test('mentioned users of a Jira text are listed', () => {
  assert.deepEqual(listMentioned('[~otto], [~mara] and [a]'), ['otto', 'mara'])
})

test('Jira markup full of openings is converted in linear time', () => {
  const began = process.threadCpuUsage()
  for (const opening of ['{{', '[~', '[a|', '{code:x}', '{noformat}', '{quote}', '*a', '*', '{', '[', '# '])
    convert(opening.repeat(100_000 / opening.length))
  assert.ok(process.threadCpuUsage(began).user < 5_000_000)
})
