import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { writeNewService } from '@oxbow/integrations/new-service'
import { tryIntegration } from '../src/integration/try.ts'
import { environmentFor, type Finished, runOxbow, runOxbowWithInput } from './run-oxbow.ts'

const environment = environmentFor('postgres://nobody@127.0.0.1:1/none')
const oxbow = (...args: string[]) => runOxbow(environment, 'integration', ...args)
const services = join(import.meta.dirname, '../../../packages/integrations/src/services')
const fixture = (service: string, name: string) => join(services, service, 'fixtures', `${name}.json`)

let folder: string
before(async () => {
  const cache = join(import.meta.dirname, '../../../.cache')
  await mkdir(cache, { recursive: true })
  folder = await mkdtemp(join(cache, 'integrations-'))
})
after(() => rm(folder, { recursive: true }))

async function payloadFile(payload: unknown): Promise<string> {
  const file = join(folder, 'payload.json')
  await writeFile(file, typeof payload === 'string' ? payload : JSON.stringify(payload))
  return file
}

function assertSays({ status, stdout }: Finished, expected: string): void {
  assert.deepEqual({ status, stdout }, { status: 0, stdout: `${expected}\n` })
}

test('integration list works without a database', async () => {
  const { status, stdout } = await oxbow('list')
  assert.equal(status, 0)
  assert.match(stdout, /^name +service +category +signature\n/)
  assert.match(stdout, /^stripe +Stripe +Financial +Stripe-Signature$/m)

  const all = JSON.parse((await oxbow('list', '--json')).stdout)
  const netlify = all.find(({ name }: { name: string }) => name === 'netlify')
  assert.deepEqual([netlify.title, netlify.events.includes('deploy_failed')], ['Netlify', true])
})

test('integration try prints recipient and content of a fixture', async () => {
  assertSays(
    await oxbow('try', 'zapier', fixture('zapier', 'subject')),
    "to the bot's owner (no stream in the URL), topic: Weekly numbers\n\n312 visitors, 7 orders",
  )
})

test('integration try accepts parameters of the URL', async () => {
  const file = await payloadFile({ name: 'roses' })
  assertSays(
    await oxbow(
      'try',
      'json',
      file,
      '--topic',
      'plants',
      '--query',
      'stream=garden',
      '--query',
      'template={name|bold} = 1',
    ),
    'stream: garden, topic: plants\n\n**roses** = 1',
  )
})

test('integration try accepts headers and prints the event', async () => {
  const file = await payloadFile({ name: 'garden', url: 'https://garden.example.com', branch: 'main' })
  const refused = await oxbow('try', 'netlify', file)
  assert.deepEqual(
    [refused.status, refused.stdout],
    [1, 'Refused: the header X-Netlify-Event is missing. Add it with --header X-Netlify-Event=…\n'],
  )
  assertSays(
    await oxbow('try', 'netlify', file, '--header', 'x-netlify-event=deploy_locked', '--query', 'stream=ci'),
    'stream: ci, topic: main  (event: deploy_locked)\n\nThe build of [garden](https://garden.example.com) on branch `main` is now **locked**.',
  )
})

test('integration try reads a payload from standard input', async () => {
  const payload = '{"topic": "door", "content": "Open."}'
  const { stdout } = await runOxbowWithInput(environment, payload, 'integration', 'try', 'ifttt', '-')
  assert.match(stdout, /topic: door\n\nOpen\.\n$/)
})

test('integration try explains ignored and refused payloads', async () => {
  const tried = async (name: string, file: string) => {
    const { isSuccess, text } = await tryIntegration(name, file, { query: {}, header: {} })
    return [isSuccess, text]
  }
  assert.deepEqual(await tried('heroku', fixture('heroku', 'dyno')), [
    true,
    'Ignored on purpose: nothing is posted, and the sender gets a success.',
  ])
  assert.deepEqual(await tried('notion', fixture('notion', 'page_created')), [
    false,
    'Not supported: the event "page.created". Nothing is posted, and the sender gets an error.',
  ])
  assert.deepEqual(await tried('helloworld', await payloadFile({ featured_title: 'x' })), [
    false,
    'Refused: featured_url is missing in the payload, or has another type than the translation expects.',
  ])
  assert.deepEqual(await tried('travis', fixture('travis', 'bad_option')), [
    false,
    'Refused: "maybe" is not a valid value of ignore_pull_requests in the URL.',
  ])
  assert.deepEqual(await tried('json', fixture('json', 'template_unclosed')), [
    false,
    'Refused: template, line 1, column 1: {#items} is never closed by {/items}.',
  ])
  assert.deepEqual(await tried('slack', fixture('slack', 'url_verification')), [
    true,
    'The response to the sender contains {"challenge":"3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P"}.',
  ])
})

test('integration commands report errors in one line', async () => {
  const wrong = async (...args: string[]) => {
    const { status, stderr } = await oxbow(...args)
    assert.equal(status, 1)
    assert.doesNotMatch(stderr, /\n +at /)
    return stderr
  }
  assert.match(await wrong('try', 'gitub', fixture('zapier', 'subject')), /^There is no integration "gitub"/)
  assert.match(await wrong('try', 'json', await payloadFile('{}'), '--query', 'stream'), /name=value/)
  assert.match(await wrong('new', 'helloworld'), /^There is an integration helloworld already\.\n$/)

  const reading = (file: string) => tryIntegration('json', file, { query: {}, header: {} })
  await assert.rejects(reading(join(folder, 'none.json')), /none\.json cannot be read: ENOENT/)
  await assert.rejects(reading(await payloadFile('{"a": ')), /payload\.json is not JSON: /)
  for (const name of ['Bad-Name', '../escape', '', '7up', 'a'.repeat(61)])
    await assert.rejects(writeNewService(name), /cannot be the name/)
  await assert.rejects(writeNewService('x', pathToFileURL(join(folder, 'none/'))), /cannot be written/)
})

test('integrations in OXBOW_INTEGRATIONS_DIR extend the built-in ones and override those of the same name', async () => {
  // Outside the checkout, integrations can import only modules that the server provides.
  const own = await mkdtemp(join(tmpdir(), 'oxbow-own-'))
  const env = { ...environment.env, OXBOW_INTEGRATIONS_DIR: own }
  const withOwn = (...args: string[]) => runOxbow({ env }, 'integration', ...args)
  try {
    for (const name of ['bird_house', 'helloworld']) assert.equal((await withOwn('new', name)).status, 0)
    await writeFile(
      join(own, 'bird_house/index.js'),
      await readFile(join(own, 'bird_house/index.ts'), 'utf8'),
    )
    await rm(join(own, 'bird_house/index.ts'))

    const { stdout } = await withOwn('list')
    assert.match(stdout, /^bird_house +Bird House /m)
    assert.match(stdout, /^github +GitHub /m)
    assert.match(stdout, /^helloworld +Helloworld /m)
    const delivery = join(own, 'bird_house/fixtures/published.json')
    for (const name of ['bird_house', 'helloworld'])
      assert.match((await withOwn('try', name, delivery)).stdout, /Iris published/)
  } finally {
    await rm(own, { recursive: true })
  }
})

test('`integration new` creates a working integration, which is listed even if another is broken', async () => {
  await mkdir(join(folder, 'services'))

  const { status, stdout } = await oxbow('new', 'bird_house', '--folder', join(folder, 'services'))

  assert.equal(status, 0)
  assert.match(stdout, /bird_house\/index\.ts\n/)
  assert.match(stdout, /oxbow integration try bird_house \S+bird_house\/fixtures\/published\.json\n/)
  const home = join(folder, 'services/bird_house')
  const { service } = await import(join(home, 'index.ts'))
  assert.deepEqual([service.title, service.client], ['Bird House', 'BirdHouse'])
  const { describe, readFixture, translateFixture } = await import('@oxbow/integrations/fixtures')
  const delivery = readFixture(await readFile(join(home, 'fixtures/published.json'), 'utf8'))
  const expected = await readFile(join(home, 'fixtures/published.txt'), 'utf8')
  assert.equal(describe(translateFixture(service, delivery)), expected)
  assert.match(await readFile(join(home, 'guide.md'), 'utf8'), /\{url\}/)

  await mkdir(join(folder, 'services/broken'))
  await writeFile(join(folder, 'services/broken/index.ts'), 'export const service = (')
  const listed = await oxbow('list', '--folder', join(folder, 'services'))
  assert.match(listed.stdout, /^bird_house +Bird House/m)
  assert.match(listed.stderr, /^Warning: the integration broken cannot be loaded: /)
  assert.deepEqual([listed.status, listed.stderr.includes('    at ')], [1, false])

  const again = await oxbow('new', 'bird_house', '--folder', join(folder, 'services'))
  assert.deepEqual([again.status, again.stderr], [1, 'There is an integration bird_house already.\n'])
})
