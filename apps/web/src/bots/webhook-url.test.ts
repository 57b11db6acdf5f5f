import assert from 'node:assert/strict'
import { test } from 'node:test'
import { streamId } from '../../test/ids.ts'
import { buildWebhookUrl, nameStreamInUrl } from './webhook-url.ts'

const base = 'https://chat.example/api/v1/external/github'
const nowhere = { stream: undefined, topic: undefined, only_events: undefined }

test('the URL has the key and only the parameters that were chosen', () => {
  const github = { url: `${base}?api_key=API_KEY&stream=STREAM`, auth: 'url' } as const
  assert.equal(buildWebhookUrl(github, nowhere, 'k1'), `${base}?api_key=k1`)
  const url = buildWebhookUrl(github, { stream: '7', topic: 'a&b=ä', only_events: ['push'] }, 'k1')
  assert.deepEqual(Object.fromEntries(new URL(url).searchParams), {
    api_key: 'k1',
    stream: '7',
    topic: 'a&b=ä',
    only_events: '["push"]',
  })
})

test('the URL of a service with HTTP Basic has no key', () => {
  const url = buildWebhookUrl({ url: `${base}?stream=STREAM`, auth: 'basic' }, nowhere, 'k1')
  assert.equal(url, base)
})

test('a stream is named by its id, unless another stream has this id as its name', () => {
  const garden = { stream_id: streamId(7), name: 'garden' }
  assert.equal(nameStreamInUrl(garden, [garden, { name: '8' }]), '7')
  assert.equal(nameStreamInUrl(garden, [garden, { name: '7' }]), 'garden')
})
