import { readFile } from 'node:fs/promises'
import type { PersonChange } from '../pipeline/options.ts'
import { ImportRefusal } from '../refusal.ts'
import { readRows } from './read-rows.ts'

/**
 * Reads a list of people that completes an archive: addresses, other names, people who should not be able to
 * sign in. Accepts the list of members that Slack offers for download, too.
 */
export async function readPeopleList(path: string): Promise<PersonChange[]> {
  const content = await readFile(path).catch((error: Error) => {
    throw new ImportRefusal(`The list of people cannot be read: ${error.message}`)
  })
  const changes: PersonChange[] = []
  const file = {
    size: content.length,
    read: async function* () {
      yield content
    },
  }
  for await (const row of readRows('The list of people', file, 'utf-8')) {
    const person = row.source_id || row.userid || row.id || row.email || ''
    const action = row.action?.trim().toLowerCase() || 'import'
    if (action !== 'import' && action !== 'inactive')
      throw new ImportRefusal(`The list of people has the action "${action}". Write import or inactive.`)
    changes.push({
      person: person.trim(),
      email: (row.email ?? '').trim().toLowerCase(),
      name: row.name ?? '',
      action,
    })
  }
  if (changes.length > 0 && changes.every(({ person }) => person === ''))
    throw new ImportRefusal('The list of people has neither a column source_id nor a column email.')
  return changes.filter(({ person }) => person !== '')
}
