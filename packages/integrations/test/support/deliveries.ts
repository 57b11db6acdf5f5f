import { readFixtures, translateFixture } from '../../src/fixtures.ts'
import type { Outcome } from '../../src/kernel/outcome.ts'
import { listServices, loadService } from '../../src/services.ts'

/** A fixture whose payload can be modified in place. JSON in form fields is parsed. */
export interface FixtureDelivery {
  name: string
  payload: { body: unknown } | Record<string, unknown>
  translate(): Outcome
}

export async function readDeliveries(service: string): Promise<FixtureDelivery[]> {
  const integration = await loadService(service)
  if (!integration) throw new Error(`no service ${service}`)
  const fixtures = await readFixtures(service)
  return fixtures.map(({ name, fixture }) => {
    if (!fixture.form) {
      const payload = { body: structuredClone(fixture.body) }
      return {
        name,
        payload,
        translate: () => translateFixture(integration, { ...fixture, body: payload.body }),
      }
    }
    const fields = Object.fromEntries(
      Object.entries(fixture.form).map(([field, value]) => [field, parseIfJson(value)]),
    )
    const texts = Object.keys(fields).filter((field) => typeof fields[field] === 'string')
    const translate = () => translateFixture(integration, { ...fixture, form: formatFields(fields, texts) })
    return { name, payload: fields, translate }
  })
}

export { listServices }

function parseIfJson(value: string): unknown {
  try {
    const json: unknown = JSON.parse(value)
    return typeof json === 'object' && json !== null ? json : value
  } catch {
    return value
  }
}

/**
 * Returns the fields as texts. If a field was plain text in the fixture, an object in it becomes an
 * empty text.
 */
function formatFields(fields: Record<string, unknown>, texts: readonly string[]): Record<string, string> {
  const pack = (field: string, value: unknown): string => {
    if (typeof value !== 'object' || value === null) return String(value ?? '')
    return texts.includes(field) ? '' : JSON.stringify(value)
  }
  return Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, pack(field, value)]))
}
