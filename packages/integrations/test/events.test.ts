import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFixtures, translateFixture } from '../src/fixtures.ts'
import { listServices, loadService } from '../src/services.ts'

for (const service of await listServices()) {
  test(`${service}: every message has an event name that filters accept`, async () => {
    const integration = await loadService(service)
    assert.ok(integration)
    const { events } = integration
    for (const { name, fixture } of await readFixtures(service)) {
      const outcome = translateFixture(integration, fixture)
      if (outcome.kind !== 'messages') continue
      for (const { event } of outcome.messages)
        assert.ok(
          event === undefined ? events === undefined : events?.includes(event),
          `${name}: ${event ?? 'no event'}`,
        )
    }
  })
}
