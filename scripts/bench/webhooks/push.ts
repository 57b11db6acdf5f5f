import { readFixtures } from '@oxbow/integrations/fixtures'

/** A push as GitHub sends it. */
export async function readPush(): Promise<string> {
  const fixtures = await readFixtures('github')
  const push = fixtures.find(({ name }) => name.startsWith('push'))
  if (!push) throw new Error('there is no push among the fixtures of github')
  return JSON.stringify(push.fixture.body)
}
