import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openArchive } from '../src/archive/open-archive.ts'
import { CsvAdapter } from '../src/csv/csv-adapter.ts'
import type { ImportOptions } from '../src/pipeline/options.ts'
import { runImport } from '../src/pipeline/run-import.ts'
import { makeReport } from '../src/report/report.ts'
import { makeTeam, profiles, type TeamMessage, writeCsv } from './generate/index.ts'
import { MemorySink, testOptions } from './memory-sink.ts'

const directory = mkdtempSync(join(tmpdir(), 'oxbow-imports-'))
after(() => rmSync(directory, { recursive: true, force: true }))
const tiny = makeTeam(profiles.tiny)
const folder = join(directory, 'tiny')
await writeCsv(tiny, folder)
const archive = await openArchive(folder)
let works = 0

async function convert(options: Partial<ImportOptions> = {}, work = join(directory, `work-${works++}`)) {
  const sink = new MemorySink()
  const adapter = new CsvAdapter(archive, { encoding: 'utf-8', timeZone: 'UTC', isMarkdown: false })
  const settings = { ...testOptions, ...options }
  const result = await runImport({ adapter, fingerprint: archive.fingerprint, options: settings, sink, work })
  return { sink, result, report: makeReport(archive, { ...result, system: 'CSV' }, settings) }
}

const { sink, report } = await convert()
const names = new Map(sink.of('user').map(({ id, full_name }) => [id, full_name]))

/** The text that the renderer shows for a source in which marks are written as entities. */
const decodeMarks = (content: unknown) =>
  String(content).replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))

test('every message of an archive comes once, with its text, its author and its time', () => {
  const written = sink.of('message').filter(({ sender_id }) => sender_id !== 1)
  const messages = [...tiny.messages()]
  assert.equal(written.length, messages.length)
  for (const message of messages) {
    const [own = {}] = written.filter(({ content }) => decodeMarks(content).includes(message.text))
    assert.equal(names.get(own.sender_id), message.author.name, message.text)
    const milliseconds = new Date(message.at / 1_000).toISOString().slice(0, 23)
    assert.equal(own.sent_at, `${milliseconds}${String(message.at).slice(-3)}+00:00`)
  }
})

test('messages come in the order of their times', () => {
  const times = sink.of('message').map(({ sent_at }) => String(sent_at))
  assert.deepEqual(times, times.toSorted())
  const ids = sink.of('message').map(({ id }) => Number(id))
  assert.deepEqual(
    ids,
    ids.toSorted((a, b) => a - b),
  )
})

test('the report accounts for every message, reaction and file', () => {
  assert.equal(report.totals.found, profiles.tiny.messages)
  assert.equal(report.totals.imported + report.totals.skipped, profiles.tiny.messages)
  assert.equal(report.totals.unexplained, 0)
  const messages = [...tiny.messages()]
  assert.equal(report.files.imported, messages.filter(({ file }) => file).length)
  assert.equal(report.reactions.imported, messages.filter(({ reactions }) => reactions.length > 0).length)
  assert.equal(sink.of('message').length, report.totals.imported + report.totals.added)
})

test('a thread with enough replies becomes a topic that begins with its first message', () => {
  const replies = new Map<number, TeamMessage[]>()
  for (const message of tiny.messages())
    if (message.root && message.place.kind !== 'conversation')
      replies.set(message.root.index, [...(replies.get(message.root.index) ?? []), message])
  const topicOf = (index: number) =>
    sink
      .of('message')
      .find(({ content, sender_id }) => sender_id !== 1 && String(content).includes(`(${index})`))?.topic
  let topics = 0
  for (const [root, thread] of replies) {
    const all = thread.map(({ index }) => topicOf(index))
    if (thread.length >= 3) {
      topics++
      assert.deepEqual(new Set(all), new Set([topicOf(root)]))
      assert.match(String(topicOf(root)), /· 20\d\d-\d\d-\d\d/)
    } else assert.deepEqual(new Set(all), new Set(['from CSV']))
  }
  assert.ok(topics > 0, 'the team has no long thread')
  assert.equal(report.totals.added, topics)
})

test('the threshold of threads is a setting, and none keeps all of them in the running topic', async () => {
  const none = await convert({ threadTopics: 'none' })
  assert.deepEqual([...new Set(none.sink.of('message').map(({ topic }) => topic))].sort(), ['', 'from CSV'])
  const all = await convert({ threadTopics: 'all' })
  assert.ok(all.report.totals.added > report.totals.added)
})

test('the same archive gives the same records, and a run continues after completed steps', async () => {
  const work = join(directory, 'again')
  const first = await convert({}, work)
  const second = await convert({}, work)
  assert.deepEqual(second.sink.records, first.sink.records)
  assert.deepEqual(second.report, first.report)
})

test('members of private places are those of the archive, and only conversations have rows for readers', () => {
  const idOf = new Map(sink.of('user').map(({ id, full_name }) => [String(full_name), Number(id)]))
  const streams = new Map(sink.of('stream').map(({ id, name }) => [name, id]))
  for (const place of tiny.places) {
    const members = place.members.map((index) => idOf.get(tiny.people[index]?.name ?? '')).sort()
    if (place.kind === 'conversation') {
      const found = sink
        .of('conversation')
        .find((each) => String((each.members as number[]).toSorted()) === String(members))
      assert.ok(found, place.id)
      continue
    }
    const name = place.isArchived ? `!DEACTIVATED:${place.name}` : place.name
    const subscribed = sink.of('subscription').filter(({ stream_id }) => stream_id === streams.get(name))
    assert.deepEqual(subscribed.map(({ user_id }) => user_id).sort(), members)
  }
  const conversations = new Set(sink.of('conversation').map(({ id }) => id))
  const privateIds = new Set(
    sink
      .of('message')
      .filter(({ recipient_id }) => conversations.has(recipient_id))
      .map(({ id }) => id),
  )
  for (const row of sink.of('user_message'))
    assert.ok(row.is_mentioned || privateIds.has(row.message_id), JSON.stringify(row))
})

test('uploads have the content of the archive, and each claim belongs to its message', () => {
  const uploads = sink.of('upload')
  for (const { upload_id, message_id } of sink.of('upload_claim')) {
    const upload = uploads.find(({ id }) => id === upload_id)
    const message = sink.of('message').find(({ id }) => id === message_id)
    assert.ok(String(message?.content).includes(`/user_uploads/${upload?.path_id}`))
    const index = /note (\d+)/.exec(String(upload?.file_name))?.[1]
    assert.equal(sink.files.get(`uploads/${upload_id}`), `file of message ${index}\n`)
  }
})
