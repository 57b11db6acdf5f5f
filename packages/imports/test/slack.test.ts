import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openSource } from '../src/open-source.ts'
import { runImport } from '../src/pipeline/run-import.ts'
import { makeReport } from '../src/report/report.ts'
import {
  makeSlackExport,
  makeTeam,
  makeZip,
  profiles,
  type TeamMessage,
  type ZipFile,
} from './generate/index.ts'
import { MemorySink, testOptions } from './memory-sink.ts'

const directory = mkdtempSync(join(tmpdir(), 'oxbow-slack-'))
after(() => rmSync(directory, { recursive: true, force: true }))
let count = 0
const settings = { encoding: 'utf-8', timeZone: 'UTC', isMarkdown: false, takesOwnView: false }

async function convert(content: Buffer, { takesOwnView = false, withNotices = false } = {}) {
  const path = join(directory, `${count++}.zip`)
  writeFileSync(path, content)
  await using source = await openSource(path, undefined, { ...settings, takesOwnView })
  const { archive, adapter } = source
  const options = { ...testOptions, withNotices }
  const sink = new MemorySink()
  const work = join(directory, `work-${count}`)
  const result = await runImport({ adapter, fingerprint: archive.fingerprint, options, sink, work })
  return { sink, report: makeReport(archive, { ...result, system: 'Slack' }, options) }
}

const decodeMarks = (content: unknown) =>
  String(content)
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replaceAll('\u00a0', ' ')

const team = makeTeam(profiles.tiny)
const messages = [...team.messages()]

test('every message of a workspace comes once, with its text, author and exact time', async () => {
  const { sink, report } = await convert(makeSlackExport(team, { withBlocks: true }))
  const names = new Map(sink.of('user').map(({ id, full_name }) => [id, full_name]))
  const written = sink.of('message').filter(({ sender_id }) => sender_id !== 1)
  assert.equal(written.length, messages.length)
  for (const message of messages) {
    const [own = {}] = written.filter(({ content }) => decodeMarks(content).includes(message.text))
    assert.equal(names.get(own.sender_id), message.author.name, message.text)
    assert.ok(String(own.sent_at).endsWith(`${String(message.at).slice(-6)}+00:00`), message.text)
    assert.equal(own.edited_at !== null, message.isEdited)
  }
  assert.equal(report.totals.unexplained, 0)
  assert.equal(report.files.imported, messages.filter(({ file }) => file).length)
  assert.deepEqual(report.people.owners, ['Person 0 Gärtner'])
})

test('a reply that was also shown in the channel has a notice there', async () => {
  const { sink, report } = await convert(makeSlackExport(team, { withBlocks: true }))
  const threads = new Map<number, TeamMessage[]>()
  for (const message of messages)
    if (message.root && message.place.kind !== 'conversation')
      threads.set(message.root.index, [...(threads.get(message.root.index) ?? []), message])
  const long = [...threads.values()].filter((replies) => replies.length >= 3)
  const broadcasts = long.flat().filter(({ isBroadcast }) => isBroadcast)
  assert.equal(report.totals.added, long.length + broadcasts.length)
  const notices = sink.of('message').filter(({ sender_id }) => sender_id === 1)
  for (const { content } of notices) assert.match(String(content), /began a thread with|replied in/)
})

test('the same export gives the same records, whatever the order of its files', async () => {
  const files = [
    json('users.json', [iris, otto]),
    json('channels.json', [garden]),
    json('garden/2024-05-01.json', [message('1714557600.000100', 'one')]),
    json('garden/2024-05-02.json', [message('1714644000.000100', 'two')]),
  ]
  const [first, second] = [await convert(makeZip(files)), await convert(makeZip(files.toReversed()))]
  assert.deepEqual(second.sink.records, first.sink.records)
})

const json = (name: string, value: unknown): ZipFile => ({
  name,
  content: Buffer.from(JSON.stringify(value)),
})
const iris = {
  id: 'U1',
  name: 'iris',
  is_owner: true,
  profile: { real_name: 'Iris', email: 'iris@garden.example' },
}
const otto = {
  id: 'U2',
  name: 'otto',
  profile: { display_name: 'Otto', email: 'otto@garden.example', bot_id: 'B2' },
}
const garden = { id: 'C1', name: 'garden', created: '1600000000', members: ['U1', 'U2'] }
const message = (ts: unknown, text: string, more: object = {}) => ({
  type: 'message',
  ts,
  user: 'U1',
  text,
  ...more,
})

/** Converts messages of one channel, and returns their Markdown. */
async function contentsOf(entries: readonly unknown[], more: readonly ZipFile[] = []) {
  const files = [
    json('users.json', [iris, otto]),
    json('channels.json', [garden]),
    json('garden/2024-05-01.json', entries),
  ]
  const { sink, report } = await convert(makeZip([...files, ...more]))
  assert.equal(report.totals.unexplained, 0)
  return { contents: sink.of('message').map(({ content }) => String(content)), sink, report }
}

const markup: [slack: string, markdown: string][] = [
  ['*bold* _italic_ ~struck~', '**bold** *italic* ~~struck~~'],
  ['*_both_*', '***both***'],
  ['snake_case_name 2*3*4', 'snake_case_name 2&#42;3&#42;4'],
  ['`a &lt; *b*` and ```x\n*y*```', '`a < *b*` and \n```text\nx\n*y*\n```\n'],
  ['&gt; quoted\nnot', '> quoted\nnot'],
  ['&gt;&gt;&gt;all\nof it', '> all\n> of it'],
  ['&lt;b&gt; &amp;amp;', '<b> &#38;amp;'],
  ['<https://x.example/a_b|*label*>', '[&#42;label&#42;](https://x.example/a_b)'],
  ['<https://x.example/>', 'https://x.example/'],
  ['<javascript:alert(1)|click>', 'click'],
  ['<mailto:a@x.example|a@x.example>', '[a@x.example](mailto:a@x.example)'],
  ['<@U2> <@U9|gone> <@U8>', '@**Otto|3** @gone @unknown person'],
  ['<#C1|garden> <#C9|closed>', '#**garden** #closed'],
  ['<!here> <!channel>', '@**all** @**all**'],
  ['<!subteam^S1|@gardeners>', '@gardeners'],
  ['<!date^1392734382^{date}|Feb 18>', 'Feb 18'],
  [':rose::skin-tone-3: :cat: :nothing_like_this:', ':rose: :kitten: &#58;nothing_like_this:'],
  ['@**all** #**garden** ||x||', '@&#42;&#42;all&#42;&#42; #&#42;&#42;garden&#42;&#42; ||x||'],
]
test("Slack's markup becomes Markdown that shows the same", async () => {
  const entries = markup.map(([text], index) =>
    message(`17145576${String(index).padStart(2, '0')}.000100`, text),
  )
  const { contents } = await contentsOf(entries)
  const expected = markup.map(([, markdown]) => markdown.trimEnd())
  assert.deepEqual(contents, expected)
})

test('rich text keeps lists, quotes, code and styles, and unknown parts their words', async () => {
  const text = (words: string, style?: object) => ({ type: 'text', text: words, ...(style && { style }) })
  const section = (...elements: unknown[]) => ({ type: 'rich_text_section', elements })
  const blocks = [
    {
      type: 'rich_text',
      elements: [
        section(text('Hi '), { type: 'user', user_id: 'U2' }, text(' bold ', { bold: true, italic: true }), {
          type: 'future',
          text: 'new',
        }),
        {
          type: 'rich_text_list',
          style: 'ordered',
          offset: 4,
          elements: [section(text('five')), section(text('six'))],
        },
        { type: 'rich_text_list', style: 'bullet', indent: 1, elements: [section(text('in'))] },
        { type: 'rich_text_quote', elements: [text('said')] },
        { type: 'rich_text_preformatted', elements: [text('let x = `1`')] },
      ],
    },
  ]
  const { contents } = await contentsOf([message('1714557600.000100', 'ignored', { blocks })])
  assert.deepEqual(contents[0]?.split('\n'), [
    'Hi @**Otto|3** ***bold*** new',
    '5. five',
    '6. six',
    '  - in',
    '> said',
    '```text',
    'let x = `1`',
    '```',
  ])
})

test('threads keep a head if their first message was deleted, and say so if it is missing', async () => {
  const reply = (ts: string, thread_ts: string) => message(ts, `reply ${ts}`, { thread_ts })
  const { sink } = await contentsOf([
    message('1714557600.000100', 'This message was deleted.', {
      subtype: 'tombstone',
      user: 'USLACKBOT',
      thread_ts: '1714557600.000100',
    }),
    ...['1', '2', '3'].map((number) => reply(`171455770${number}.000100`, '1714557600.000100')),
    ...['1', '2', '3'].map((number) => reply(`171455780${number}.000100`, '1714550000.000100')),
    reply('1714557900.000100', '1714440000.000100'),
  ])
  const rows = sink.of('message').map(({ topic, content }) => [String(topic).startsWith('reply'), content])
  assert.ok(rows.some(([isThread, content]) => isThread && content === '(deleted message)'))
  assert.ok(
    rows.some(
      ([isThread, content]) =>
        isThread && content === 'The first message of this thread is not in the archive.',
    ),
  )
  assert.ok(
    rows.some(
      ([isThread, content]) => !isThread && String(content).startsWith('↪ (the message that this answers'),
    ),
  )
})

test('odd records come or are counted, and none stops the import', async () => {
  const at = '1714557600.000100'
  const { contents, sink, report } = await contentsOf([
    message(at, 'first'),
    message(at, 'first'),
    message('1714557601.000100', 'joined', { subtype: 'channel_join' }),
    {
      type: 'message',
      ts: '1714557602.000100',
      subtype: 'bot_message',
      username: 'Deploy @**bot**',
      text: 'shipped',
    },
    { type: 'message', ts: '1714557603.000100', bot_id: 'B2', text: 'by its bot id' },
    message('not a time', 'clock is broken'),
    message('99999999999.000000', 'clock is far ahead'),
    message('1714557604.000100', '', {
      files: [
        { id: 'F1', mode: 'tombstone' },
        { id: 'F2', name: '../../x', mode: 'hosted' },
      ],
    }),
    message('1714557605.000100', ''),
    message('1714557606.000100', 'old', { subtype: 'message_changed' }),
    message('1714557607.000100', 'reacted', {
      reactions: [
        { name: 'thumbsup::skin-tone-2', users: ['U1'], count: 1_000_000_000 },
        { name: 'thumbsup', users: ['U1', 'U9'], count: 2 },
        { name: '__proto__', users: ['U1'], count: 1 },
      ],
    }),
    message(
      '1714557608.000100',
      'see <https://t.slack.com/archives/C1/p1714557600000100> and <https://t.slack.com/archives/C1/p1714557699000100>',
    ),
    null,
    'text',
    { user: { id: 1 }, text: ['x'], ts: null, reactions: {}, files: 'x', blocks: 1 },
  ])
  assert.equal(contents.filter((content) => content === 'first').length, 1)
  assert.ok(
    contents.includes('shipped') &&
      contents.includes('by its bot id') &&
      contents.includes('clock is far ahead'),
  )
  assert.ok(contents.some((content) => content.includes('The file was deleted in the old system')))
  const bot = sink.of('user').find(({ full_name }) => String(full_name).startsWith('Deploy'))
  assert.deepEqual([bot?.full_name, bot?.is_active], ['Deploy bot', false])
  const link = contents.find((content) => content.startsWith('see'))
  assert.match(String(link), /\/#narrow\/stream\/\d+-garden\/topic\/from.20Slack\/near\/1\)/)
  assert.match(String(link), /p1714557699000100/)
  assert.equal(sink.of('reaction').length, 1)
  const counts = new Map(report.losses.map(({ reason, count: times }) => [reason, times]))
  assert.equal(counts.get('unnamed_reactor'), 999_999_999)
  for (const reason of [
    'notice',
    'duplicate',
    'empty',
    'old_version',
    'time_changed',
    'unknown_reactor',
    'unresolved_link',
  ] as const)
    assert.ok(counts.has(reason), reason)
})

test('a place is public only if nothing in the archive says otherwise', async () => {
  const { sink, report } = await convert(
    makeZip([
      json('users.json', [iris, otto, { ...otto, id: 'U2' }]),
      json('channels.json', [garden, { ...garden, id: 'C2', name: 'contradicts', is_private: true }]),
      json('groups.json', null),
      json('dms.json', [{ id: 'D1', members: ['U1', 'U7'] }]),
      json('mpims.json', [
        { id: 'G1', name: 'mpdm-a--b-1', members: ['U1', 'U2', 'U7'] },
        { id: 'G2', name: 'mpdm-a--b-2', members: ['U7', 'U2', 'U1'] },
      ]),
      json('garden/2024-05-01.json', [message('1714557600.000100', 'public')]),
      json('nobody-knows/2024-05-01.json', [message('1714557600.000100', 'unlisted')]),
      json('D1/2024-05-01.json', [message('1714557600.000100', 'for one')]),
      json('mpdm-a--b-1/2024-05-01.json', [message('1714557600.000100', 'for three')]),
      json('mpdm-a--b-2/2024-05-01.json', [message('1714557601.000100', 'for the same three')]),
    ]),
  )
  const streams = sink.of('stream').map(({ name, invite_only }) => [name, invite_only])
  assert.deepEqual(streams, [
    ['garden', false],
    ['contradicts', true],
    ['nobody-knows', true],
  ])
  assert.deepEqual(
    sink.of('conversation').map(({ members }) => (members as number[]).length),
    [2, 3],
  )
  assert.equal(report.totals.unexplained, 0)
  assert.ok(report.losses.some(({ reason }) => reason === 'user_twice'))
})

test('private conversations of an archive that one person made stay out unless they are wanted', async () => {
  const files = [
    json('users.json', [iris, otto]),
    json('channels.json', [garden]),
    json('dms.json', [{ id: 'D12345', members: ['U1', 'U2'] }]),
    json('garden/2024-05-01.json', [
      message('1714557600.000100', 'public', { files: [{ id: 'F123', name: 'a.txt' }] }),
    ]),
    json('D12345/2024-05-01.json', [message('1714557600.000100', 'for two')]),
    { name: '__uploads/F123/a.txt', content: Buffer.from('file') },
  ]
  const left = await convert(makeZip(files))
  assert.deepEqual(left.sink.of('conversation'), [])
  assert.ok(left.report.losses.some(({ reason }) => reason === 'own_view'))
  const taken = await convert(makeZip(files), { takesOwnView: true })
  assert.equal(taken.sink.of('conversation').length, 1)
  assert.equal(taken.sink.files.get('uploads/1'), 'file')
})

test('notices of Slack come as messages of the notification bot if they are wanted', async () => {
  const files = [
    json('users.json', [iris]),
    json('channels.json', [garden]),
    json('garden/2024-05-01.json', [
      message('1714557600.000100', '<@U1> has joined', { subtype: 'channel_join' }),
    ]),
  ]
  const { sink } = await convert(makeZip(files), { withNotices: true })
  assert.deepEqual(
    sink.of('message').map(({ sender_id, content }) => [sender_id, content]),
    [[1, '@**Iris|2** has joined']],
  )
})

test('names of people, channels and emoji are made valid, and the report lists the changes', async () => {
  const script = '<script>alert(1)</script>'
  const { sink, report } = await convert(
    makeZip([
      json('users.json', [
        iris,
        { id: 'U3', name: '`@**x**`', profile: { real_name: '\u202e"' } },
        { id: 'U4', name: 'a', profile: {} },
      ]),
      json('channels.json', [
        { ...garden, name: script },
        { ...garden, id: 'C2', name: script.toUpperCase() },
        { ...garden, id: 'C3', name: 'x'.repeat(80), is_archived: true },
      ]),
    ]),
  )
  for (const { full_name } of sink.of('user')) assert.doesNotMatch(String(full_name), /[*`\\>"@\u202e]/)
  const names = sink.of('stream').map(({ name }) => String(name))
  assert.equal(new Set(names.map((name) => name.toLowerCase())).size, 3)
  for (const name of names) assert.ok([...name].length <= 60, name)
  assert.ok(report.renames.count > 0)
})

test('an export of a single user is refused with advice', async () => {
  await assert.rejects(
    convert(makeZip([json('channels/x.json', [])])),
    /no system that this release can read/,
  )
})
