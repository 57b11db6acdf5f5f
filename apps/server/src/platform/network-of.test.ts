import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkOf } from './network-of.ts'

test('networkOf returns the IPv4 address or the IPv6 /64 network', () => {
  const networks = {
    '192.0.2.7': '192.0.2.7/32',
    '::ffff:192.0.2.7': '192.0.2.7/32',
    '2001:db8:1:2:3:4:5:6': '2001:db8:1:2::/64',
    '2001:DB8:0001:2::9': '2001:db8:1:2::/64',
    '2001:db8::1': '2001:db8:0:0::/64',
    '::1': '0:0:0:0::/64',
    'fe80::1%eth0': 'fe80:0:0:0::/64',
    '': '0.0.0.0/32',
  }
  for (const [address, network] of Object.entries(networks)) assert.equal(networkOf(address), network)
})
