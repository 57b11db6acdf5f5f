import { readFixtures } from '@oxbow/integrations/fixtures'

/** Reads the body of a GitHub push event from the fixtures. */
export async function readPush(): Promise<string> {
  const fixtures = await readFixtures('github')
  const push = fixtures.find(({ name }) => name.startsWith('push'))
  if (!push) throw new Error('the fixtures of github contain no push')
  return JSON.stringify(push.fixture.body)
}
