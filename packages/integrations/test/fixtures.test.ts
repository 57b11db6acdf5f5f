import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { describe, readFixtures, translateFixture } from '../src/fixtures.ts'
import { getFixturesFolder, listServices, loadService } from '../src/services.ts'

/**
 * `OXBOW_WRITE_FIXTURES=1 npm test fixtures` writes missing expectations. Review them before you
 * commit them.
 */
const writesMissing = process.env.OXBOW_WRITE_FIXTURES === '1'

for (const service of await listServices()) {
  const integration = await loadService(service)
  for (const { name, fixture, expected } of await readFixtures(service)) {
    test(`${service} translates the fixture ${name}`, async () => {
      assert.ok(integration)
      const made = describe(translateFixture(integration, fixture))
      if (expected === undefined && writesMissing)
        await writeFile(new URL(`${name}.txt`, getFixturesFolder(service)), made)
      else assert.equal(made, expected, `${name}.txt says otherwise`)
    })
  }
}
