import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { defaultOptions, openSource, runImport } from '@oxbow/imports'
import {
  makeSlackExport,
  makeTeam,
  profiles,
  type TeamMessage,
  type TeamPerson,
} from '@oxbow/imports/generate'
import { toPlainText } from '@oxbow/markdown'
import { revealApiKey } from '@oxbow/server'
import { importOrganizationFrom, writeConvertedExport } from '@oxbow/server/transfer'
import { createTestDatabase, request } from '@oxbow/testkit'
import { startNodeOn } from '@oxbow/testkit/garden/garden'

const directory = mkdtempSync(join(tmpdir(), 'oxbow-moving-in-'))
const database = await createTestDatabase()
const node = await startNodeOn(database.url, { data_dir: join(directory, 'data') })
after(async () => {
  await node[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
  rmSync(directory, { recursive: true, force: true })
})

const team = makeTeam(profiles.tiny)
const messages = [...team.messages()]
const { app } = node.node
{
  const path = join(directory, 'slack.zip')
  writeFileSync(path, makeSlackExport(team, { withBlocks: true }))
  const settings = { encoding: 'utf-8', timeZone: 'UTC', isMarkdown: false, takesOwnView: false }
  await using source = await openSource(path, undefined, settings)
  const options = { ...defaultOptions, name: 'Moved', exportedAt: Date.UTC(2026, 0, 1) * 1_000 }
  const [work, out] = [join(directory, 'work'), join(directory, 'export')]
  const { fingerprint } = source.archive
  await writeConvertedExport(app, out, { work, name: 'Moved', createdAt: new Date() }, async (sink) => {
    await runImport({ adapter: source.adapter, fingerprint, options, sink, work })
  })
  const done = { subdomain: '', url: node.node.url, onProgress: () => {} }
  await importOrganizationFrom(app, out, done)
}

interface ReadMessage {
  id: number
  content: string
  timestamp: number
  sender_full_name: string
  type: string
  display_recipient: string | { full_name: string }[]
  reactions: { emoji_name: string; user_id: number }[]
}

const people = await database.query<{ id: string; full_name: string; delivery_email: string }>(
  'select id, full_name, delivery_email from user_account where bot_type is null',
)
const idOf = new Map(people.map(({ id, full_name }) => [full_name, Number(id)]))

const credentialsOf = ({ email }: TeamPerson) => revealApiKey(app, '', email)

async function readAs(person: TeamPerson): Promise<ReadMessage[]> {
  const credentials = await credentialsOf(person)
  const all: ReadMessage[] = []
  for (const narrow of [
    [{ operator: 'streams', operand: 'public' }],
    [{ operator: 'is', operand: 'private' }],
    [],
  ]) {
    const query = { anchor: 'oldest', num_before: '0', num_after: '5000', narrow: JSON.stringify(narrow) }
    const { body } = await request(node.node.url, { path: '/api/v1/messages', credentials, query })
    all.push(...(body.messages as ReadMessage[]))
  }
  return [...new Map(all.map((message) => [message.id, message])).values()].sort((a, b) => a.id - b.id)
}

/** Messages that a person could read in the old system: all of public places, and of places with the person. */
const readableBy = (person: TeamPerson): TeamMessage[] => {
  const index = team.people.indexOf(person)
  return messages.filter(
    ({ place }) =>
      place.members.includes(index) ||
      (place.kind === 'public' && !place.isArchived && person.role !== 'guest'),
  )
}

const numberOf = (content: string): number =>
  Number(/\((\d+)\)\s*$|\((\d+)\)\n/.exec(content)?.slice(1).find(Boolean))
const shown = (html: string): string => toPlainText(html).replace(/\s+/g, ' ')

const [owner, , member, , guest] = team.people as [TeamPerson, TeamPerson, TeamPerson, TeamPerson, TeamPerson]
for (const [role, person] of Object.entries({ owner, member, guest }))
  test(`${role} reads every message of the archive that was theirs, and no other`, async () => {
    const read = (await readAs(person)).filter(
      ({ sender_full_name }) => sender_full_name !== 'Notification Bot',
    )
    const found = new Map(
      read.map((message) => [
        numberOf(
          shown(message.content)
            .replace(/note \d+\.txt/g, '')
            .trim(),
        ),
        message,
      ]),
    )
    const expected = readableBy(person)
    assert.deepEqual(
      [...found.keys()],
      expected.map(({ index }) => index),
    )
    for (const { index, at, author, reactions } of expected) {
      const message = found.get(index)
      assert.equal(message?.timestamp, Math.floor(at / 1_000_000))
      assert.equal(message.sender_full_name, author.name)
      assert.deepEqual(
        message.reactions.map(({ user_id }) => user_id),
        reactions.flatMap((reaction) => reaction.people.map(({ name }) => idOf.get(name))),
      )
    }
  })

test('a file can be read by those who can read its message, and by nobody else', async () => {
  const readers = [owner, member, guest]
  for (const message of messages.filter(({ file }) => file)) {
    const [row] = await database.query<{ path_id: string }>(
      'select path_id from upload where file_name = $1',
      [message.file?.name],
    )
    for (const person of readers) {
      const credentials = await credentialsOf(person)
      const { status, text } = await request(node.node.url, {
        path: `/user_uploads/${row?.path_id}`,
        credentials,
      })
      const isReadable = readableBy(person).includes(message)
      assert.deepEqual([status, text], isReadable ? [200, message.file?.content.toString()] : [status, text])
      assert.equal(status === 200, isReadable, `${person.name} and ${message.file?.name}`)
    }
  }
})

test('nothing is unread, and nobody gets a job about imported messages', async () => {
  const credentials = await credentialsOf(member)
  const { body } = await request(node.node.url, { method: 'POST', path: '/api/v1/register', credentials })
  const unread = body.unread_msgs as { count: number }
  assert.equal(unread.count, 0)
})
