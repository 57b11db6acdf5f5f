import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findOutdatedPackages } from './installed-packages.ts'

test('missing packages and other versions are outdated, but not optional packages for other platforms', () => {
  const lockfile = {
    packages: {
      '': { version: '0.1.0' },
      'apps/web': { version: '0.1.0' },
      'node_modules/spade': { version: '1.0.0' },
      'node_modules/rake': { version: '1.1.0' },
      'apps/web/node_modules/rake': { version: '2.0.0' },
      'node_modules/seeds-for-windows': { version: '1.0.0', optional: true },
      'node_modules/seeds-for-linux': { version: '1.1.0', optional: true },
    },
  }
  const installed = {
    packages: {
      'node_modules/spade': { version: '1.0.0' },
      'node_modules/rake': { version: '1.0.0' },
      'node_modules/seeds-for-linux': { version: '1.0.0', optional: true },
    },
  }

  assert.deepEqual(findOutdatedPackages(lockfile, installed), [
    'rake 1.1.0',
    'apps/web/node_modules/rake 2.0.0',
    'seeds-for-linux 1.1.0',
  ])
})
