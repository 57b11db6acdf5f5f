import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listPreviewableLinks, toPageUrl } from './links.ts'

test('links to this server, links with passwords and links of other schemes are not previewed', () => {
  const fetched = [
    'https://tea.example/',
    'http://tea.example/?x=1#y',
    'https://notchat.example/',
    'https://chat.example.com/',
    'https://xn--tea-3la.example/',
  ]
  const others = [
    'https://chat.example/login',
    'https://hill.chat.example/#narrow/stream/1-garden',
    'https://CHAT.example./',
    'http://chat.example:8080/',
    'http://localhost:9991/x',
    'https://user:secret@tea.example/',
    'https://user@tea.example/',
    'ftp://tea.example/',
    'mailto:tea@tea.example',
    'user_uploads/1/a.txt',
    '#narrow/stream/1',
    `https://tea.example/${'a'.repeat(2_000)}`,
    `https://tea.example/${'ü'.repeat(700)}`,
    'https://[bad/',
  ]
  const config = { external_url: 'https://chat.example' }
  assert.deepEqual(listPreviewableLinks(config, 'http://localhost:9991', [...fetched, ...others]), fetched)
})

test('links to parts of one page have the same URL, and only the first one gets the preview', () => {
  assert.equal(toPageUrl('https://Tea.example#a'), 'https://tea.example/')
  assert.equal(toPageUrl('https://tea.example/#b'), 'https://tea.example/')
  const links = ['https://tea.example/#a', 'https://x.example/', 'https://tea.example/#b']
  assert.deepEqual(listPreviewableLinks({ external_url: undefined }, '', links), links.slice(0, 2))
})
