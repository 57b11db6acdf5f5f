import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@oxbow/sdk'
import { eventually, pngOf, request } from '@oxbow/testkit'

/** Folder of the web client that the build contains. */
export const webFolder = process.env.OXBOW_WEB_DIR ?? 'apps/web/dist'

interface Credentials {
  email: string
  api_key: string
}

/**
 * Uses every part of a running server that is a separate file in a build: threads, the picture
 * process, integrations, SQL, lists, static files, pages, the web client. `bot` is an incoming webhook.
 */
export async function checkServer(url: string, owner: Credentials, bot: Credentials): Promise<void> {
  await checkPages(url, owner)
  await checkMessages(url, owner)
  await checkPictures(url, owner)
  await checkAddresses(url, owner)
  await checkDeliveries(url, owner, bot)
}

async function checkPages(url: string, owner: Credentials): Promise<void> {
  const document = readFileSync(join(webFolder, 'index.html'), 'utf8')
  const [script = ''] = /\/assets\/[\w-]+\.js/.exec(document) ?? []
  const paths = [
    script,
    '/login',
    '/api/docs',
    '/api/markdown',
    '/integrations',
    '/integrations/github',
    '/help',
  ]
  for (const path of [...paths, '/favicon.ico', '/health', '/ready']) {
    const { status, text } = await request(url, { path, credentials: owner })
    assert.equal(status, 200, `${path}: ${text.slice(0, 200)}`)
  }
  const page = await (await fetch(`${url}/login`)).text()
  for (const [, path = ''] of page.matchAll(/(?:href|src)="(\/[^"]+\.(?:css|png|svg))"/g))
    assert.equal((await fetch(url + path)).status, 200, path)
}

async function checkMessages(url: string, owner: Credentials): Promise<void> {
  const { messages } = createClient({ url, credentials: owner })
  await request(url, {
    method: 'POST',
    path: '/api/v1/users/me/subscriptions',
    credentials: owner,
    form: { subscriptions: '[{"name":"garden"}]' },
  })
  const { rendered } = await messages.render({ content: '```python\nprint(1)\n```\n\n$$x^2$$' })
  assert.match(rendered, /class="katex/)
  assert.match(rendered, /class="(hljs-|nb|k)/)
  const { id } = await messages.send({
    type: 'stream',
    to: 'garden',
    topic: 'roses',
    content: `Pruned them. ${'thorn '.repeat(600)}`,
  })
  await request(url, {
    method: 'PATCH',
    path: `/api/v1/messages/${id}`,
    credentials: owner,
    form: { content: `Watered them. ${'petal '.repeat(600)}` },
  })
  const history = await request(url, { path: `/api/v1/messages/${id}/history`, credentials: owner })
  assert.match(history.text, /highlight_text_(inserted|deleted)/)
  const narrow = JSON.stringify([{ operator: 'search', operand: 'watering' }])
  const query = { anchor: 'newest', num_before: '5', num_after: '0', narrow }
  await eventually(async () => {
    const found = await request(url, { path: '/api/v1/messages', credentials: owner, query })
    return (found.body.messages as { id: number }[]).some((message) => message.id === id)
  })
}

async function checkPictures(url: string, owner: Credentials): Promise<void> {
  const avatar = await request(url, {
    method: 'POST',
    path: '/api/v1/users/me/avatar',
    credentials: owner,
    files: { 'rose.png': pngOf(300, 300) },
  })
  assert.equal(avatar.status, 200, avatar.text)
  const drawn = await fetch(new URL(String(avatar.body.avatar_url), url))
  assert.equal(drawn.headers.get('content-type'), 'image/png')
}

async function checkAddresses(url: string, owner: Credentials): Promise<void> {
  const refused = await request(url, {
    method: 'PATCH',
    path: '/api/v1/settings',
    credentials: owner,
    form: { email: 'me@mailinator.com' },
  })
  assert.match(refused.text, /Please use your real email address/)
}

async function checkDeliveries(url: string, owner: Credentials, bot: Credentials): Promise<void> {
  const article = { featured_title: 'Roses', featured_url: 'https://en.wikipedia.org/wiki/Rose' }
  // Threads read large bodies. JSON is large by its number of values, forms by their bytes.
  const many = Array.from({ length: 6_000 }, (_, index) => index)
  const form = { user_name: 'otto', channel_name: 'x', text: 'Roses', more: 'x'.repeat(300_000) }
  const deliveries = [
    { path: '/api/v1/external/helloworld', json: article },
    { path: '/api/v1/external/helloworld', json: { ...article, many } },
    { path: '/api/v1/external/slack', form },
  ]
  const query = { api_key: bot.api_key, stream: 'deliveries' }
  const subscribe = { subscriptions: '[{"name":"deliveries"}]' }
  await request(url, {
    method: 'POST',
    path: '/api/v1/users/me/subscriptions',
    credentials: owner,
    form: subscribe,
  })
  for (const delivery of deliveries) {
    const { status, text } = await request(url, { method: 'POST', query, ...delivery })
    assert.equal(status, 200, text)
  }
  const narrow = JSON.stringify([
    { operator: 'stream', operand: 'deliveries' },
    { operator: 'sender', operand: bot.email },
  ])
  const posted = await request(url, {
    path: '/api/v1/messages',
    credentials: owner,
    query: { anchor: 'newest', num_before: '10', num_after: '0', narrow },
  })
  assert.equal((posted.body.messages as unknown[]).length, deliveries.length, posted.text)
}
