import { readdir, readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { Integration } from './kernel/integration.ts'
import type { Outcome } from './kernel/outcome.ts'
import { type DecodedDelivery, translate } from './kernel/translate.ts'
import { getFixturesFolder } from './services.ts'

/** A recorded delivery, stored with the integration. `body` is a JSON body, `form` the fields of a form. */
const fixture = z.strictObject({
  headers: z.record(z.string(), z.string()).default({}),
  query: z.record(z.string(), z.string()).default({}),
  body: z.unknown().optional(),
  form: z.record(z.string(), z.string()).optional(),
  /** Full names in the organization, by the names in the payload. */
  people: z.record(z.string(), z.string()).default({}),
})
export type Fixture = z.output<typeof fixture>

export interface NamedFixture {
  name: string
  fixture: Fixture
  /** The expected outcome, in the format of `describe`. */
  expected: string | undefined
}

export async function readFixtures(service: string): Promise<NamedFixture[]> {
  const folder = getFixturesFolder(service)
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort()
  return Promise.all(
    files.map(async (file) => {
      const name = file.slice(0, -'.json'.length)
      const expected = await readFile(new URL(`${name}.txt`, folder), 'utf8').catch(() => undefined)
      return { name, fixture: readFixture(await readFile(new URL(file, folder), 'utf8')), expected }
    }),
  )
}

/** Reads a fixture file, which contains a whole delivery or only the payload. */
export function readFixture(text: string): Fixture {
  const json: unknown = JSON.parse(text)
  const result = fixture.safeParse(json)
  const isDelivery = result.success && (result.data.body !== undefined || result.data.form !== undefined)
  return isDelivery ? result.data : fixture.parse({ body: json })
}

export function translateFixture(
  integration: Integration,
  { headers, query, body, form, people }: Fixture,
): Outcome {
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const delivery: DecodedDelivery = {
    payload: choosePayload(integration, body, form),
    header: (name) => byName.get(name.toLowerCase()),
    argument: (name) => form?.[name] ?? query[name],
    people: new Map(Object.entries(people)),
    bot: { id: 12, email: 'news-bot@example.com', full_name: 'News' },
  }
  return translate(integration, delivery)
}

function choosePayload(
  { body: kind }: Integration,
  body: unknown,
  form: Record<string, string> | undefined,
): unknown {
  if (form === undefined) return body
  return kind && 'field' in kind ? parse(form[kind.field]) : form
}

/** Returns undefined if the text is not JSON. No integration accepts undefined. */
function parse(json = 'null'): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** Describes the outcome of a delivery, for people to read and for tests to compare. */
export function describe(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'messages': {
      const texts = outcome.messages.map(
        ({ event, stream, person, topic, content }) =>
          `${[
            event && `event: ${event}`,
            stream && `stream: ${stream}`,
            person && `person: ${person}`,
            `topic: ${topic}`,
          ]
            .filter(Boolean)
            .join('\n')}\n\n${content}\n`,
      )
      if (outcome.responseFields) texts.unshift(`answer: ${JSON.stringify(outcome.responseFields)}\n`)
      return texts.join('\n-----\n')
    }
    case 'ignored':
      return 'ignored\n'
    case 'unsupported':
      return `unsupported: ${outcome.event}\n`
    case 'refused':
      return `refused: ${JSON.stringify(outcome.reason)}\n`
  }
}
