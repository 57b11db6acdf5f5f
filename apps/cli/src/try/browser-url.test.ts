import assert from 'node:assert/strict'
import type { NetworkInterfaceInfo } from 'node:os'
import { test } from 'node:test'
import { findBrowserUrl } from './browser-url.ts'

const loopback = { address: '127.0.0.1', family: 'IPv4', internal: true } as NetworkInterfaceInfo
const local = { address: 'fe80::1', family: 'IPv6', internal: false } as NetworkInterfaceInfo
const outside = { address: '192.0.2.7', family: 'IPv4', internal: false } as NetworkInterfaceInfo

test('a node on the loopback address is reached at localhost', () => {
  assert.equal(findBrowserUrl('http://127.0.0.1:8484'), 'http://localhost:8484')
})

test('a node on all addresses is reached at the IPv4 address of this machine', () => {
  const interfaces = { lo: [loopback], eth0: [local, outside] }
  assert.equal(findBrowserUrl('http://0.0.0.0:8484', interfaces), 'http://192.0.2.7:8484')
  assert.equal(findBrowserUrl('http://[::]:8484', interfaces), 'http://192.0.2.7:8484')
})

test('a node on all addresses of a machine without a network is reached at localhost', () => {
  assert.equal(findBrowserUrl('http://0.0.0.0:8484', { lo: [loopback] }), 'http://localhost:8484')
})

test('a node on one address is reached at this address', () => {
  assert.equal(findBrowserUrl('http://192.0.2.9:8484'), 'http://192.0.2.9:8484')
})
