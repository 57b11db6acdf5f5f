import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ProfileFieldId } from '@oxbow/contract'
import { startWorld } from '@oxbow/testkit'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { profileFields } = world.owner

type Data = Record<string, unknown>

const rake = { text: 'Rake', order: '1' }
const pattern = 'https://x.example/%(username)s'
const custom = (url_pattern: unknown) => ({ subtype: 'custom', url_pattern })

const choicesRefused: [data: Data, msg: string][] = [
  [{}, 'Field must have at least one choice.'],
  [{ 1: 'Rake' }, 'field_data is not a dict'],
  [{ 1: null }, 'field_data is not a dict'],
  [{ 1: [rake] }, 'field_data is not a dict'],
  [{ 1: {} }, 'text key is missing from field_data'],
  [{ 1: { order: '1' } }, 'text key is missing from field_data'],
  [{ 1: { text: 'Rake' } }, 'order key is missing from field_data'],
  [{ 1: { text: 5, order: '1' } }, 'field_data["text"] is not a string'],
  [{ 1: { text: ' ', order: '1' } }, 'field_data["text"] cannot be blank.'],
  [{ 1: { text: 'Rake', order: 1 } }, 'field_data["order"] is not a string'],
  [{ 1: { text: 'Rake', order: '' } }, 'field_data["order"] cannot be blank.'],
  [{ 1: { ...rake, color: 'red', size: 'big' } }, 'Unexpected arguments: color, size'],
  [{ '': rake }, "'value' cannot be blank."],
  [{ ' ': rake }, "'value' cannot be blank."],
  [{ 1: rake, 2: {} }, 'text key is missing from field_data'],
]

const accountsRefused: [data: Data, msg: string][] = [
  [{}, 'subtype key is missing from field_data'],
  [{ url_pattern: pattern }, 'subtype key is missing from field_data'],
  [{ subtype: 5 }, 'field_data["subtype"] is not a string'],
  [{ subtype: '' }, 'field_data["subtype"] cannot be blank.'],
  [{ subtype: '  ' }, 'field_data["subtype"] cannot be blank.'],
  [{ subtype: 'myspace' }, 'Invalid external account type'],
  [{ subtype: 'constructor' }, 'Invalid external account type'],
  [{ subtype: 'GitHub' }, 'Invalid external account type'],
  [{ subtype: 'custom' }, 'Custom external account must define url pattern'],
  [custom(''), 'Custom external account must define url pattern'],
  [custom('https://x.example/'), 'Malformed URL pattern.'],
  [custom('https://x.example/%(user)s'), 'Malformed URL pattern.'],
  [custom(`${pattern}/%(username)s`), 'Malformed URL pattern.'],
  [custom('x.example/%(username)s'), 'field_data["url_pattern"] is not a URL'],
  [custom('javascript:%(username)s'), 'field_data["url_pattern"] is not a URL'],
  [{ subtype: 'github', url_pattern: 'https://x.example/' }, 'Malformed URL pattern.'],
  [{ subtype: 'twitter', url_pattern: 'javascript:%(username)s' }, 'field_data["url_pattern"] is not a URL'],
  [custom(5), 'field_data["url_pattern"] is not a string'],
]

const accepted: [type: 3 | 7, data: Data][] = [
  [3, { 1: rake }],
  [3, { 0: rake, spade: { text: 'Spade', order: '2' } }],
  [7, custom(pattern)],
  [7, custom('https://%(username)s.example/')],
]

const refusedOf: [type: 3 | 7, cases: [Data, string][]][] = [
  [3, choicesRefused],
  [7, accountsRefused],
]

for (const [field_type, cases] of refusedOf)
  test(`invalid data for a field of type ${field_type} are refused on creation and update`, async () => {
    const [, first] = accepted.find(([type]) => type === field_type) as [number, Data]
    const { id: field_id } = await profileFields.create({
      field_type,
      name: `Refusing ${field_type}`,
      field_data: first,
    })
    for (const [field_data, msg] of cases) {
      const refusal = { status: 400, body: { result: 'error', code: 'BAD_REQUEST', msg } }
      const what = JSON.stringify(field_data)
      await assert.rejects(profileFields.create({ field_type, name: 'New', field_data }), refusal, what)
      await assert.rejects(profileFields.update({ field_id, name: 'Changed', field_data }), refusal, what)
    }
    assert.deepEqual(await dataOf(field_id), first)
  })

test('valid field data are stored as JSON text', async () => {
  for (const [index, [field_type, field_data]] of accepted.entries()) {
    const { id: field_id } = await profileFields.create({ field_type, name: `Kept ${index}`, field_data })
    assert.deepEqual(await dataOf(field_id), field_data)
  }
})

test('the options of a choice field can be replaced', async () => {
  const { id: field_id } = await profileFields.create({
    field_type: 3,
    name: 'Tool',
    field_data: { 1: rake },
  })
  const field_data = { 1: rake, 2: { text: 'Spade', order: '2' } }

  await profileFields.update({ field_id, name: 'Tool', field_data })

  assert.deepEqual(await dataOf(field_id), field_data)
  await world.owner.users.setProfileData({ data: [{ id: field_id, value: '2' }] })
})

async function dataOf(field_id: ProfileFieldId): Promise<Data> {
  const { custom_fields } = await profileFields.list()
  return JSON.parse(custom_fields.find(({ id }) => id === field_id)?.field_data ?? 'null')
}
