import { once } from 'node:events'
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { writeTime } from '../../src/text/moments.ts'
import type { Team, TeamPerson } from './team.ts'

const cell = (text: string): string => (/[",\n\r;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
const line = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`

/** Writes a team as a folder of tables. */
export async function writeCsv(team: Team, folder: string): Promise<void> {
  mkdirSync(join(folder, 'files'), { recursive: true })
  const people = team.people.map(({ id, email, name, role, isActive, isBot }) =>
    line([id, email, name, isBot ? 'bot' : role, isActive || isBot ? 'yes' : 'no']),
  )
  writeFileSync(join(folder, 'people.csv'), line(['id', 'email', 'name', 'role', 'active']) + people.join(''))
  const idOf = (index: number) => (team.people[index] as TeamPerson).id
  const places = team.places.map(({ id, name, kind, members, isArchived }) =>
    line([
      id,
      name,
      kind === 'conversation' ? 'dm' : kind,
      members.map(idOf).join(';'),
      isArchived ? 'yes' : '',
    ]),
  )
  writeFileSync(
    join(folder, 'places.csv'),
    line(['id', 'name', 'kind', 'members', 'archived']) + places.join(''),
  )
  const stream = createWriteStream(join(folder, 'messages.csv'))
  stream.write(line(['id', 'place', 'time', 'author', 'text', 'parent', 'files', 'edited', 'reactions']))
  for (const message of team.messages()) {
    const { index, place, at, author, text, root, file, isEdited, reactions } = message
    if (file) writeFileSync(join(folder, 'files', file.name), file.content)
    const written = stream.write(
      line([
        `m${index}`,
        place.id,
        String(at),
        author.id,
        text,
        root ? `m${root.index}` : '',
        file ? `files/${file.name}` : '',
        isEdited ? writeTime(at + 1_000_000) : '',
        reactions.map(({ emoji, people: by }) => `:${emoji}:=${by.map(({ id }) => id).join(';')}`).join('|'),
      ]),
    )
    if (!written) await once(stream, 'drain')
  }
  stream.end()
  await finished(stream)
}
