import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editDistance } from './nearest-name.ts'
import { describeUnknownVariables } from './unknown-variables.ts'

test('the edit distance counts changed letters and swapped neighbours', () => {
  const cases: [string, string, number][] = [
    ['PORT', 'PORT', 0],
    ['PROT', 'PORT', 1],
    ['POR', 'PORT', 1],
    ['PORTS', 'PORT', 1],
    ['', 'PORT', 4],
    ['HOST', 'PORT', 2],
    ['EXTERNL_ULR', 'EXTERNAL_URL', 2],
  ]
  for (const [one, other, distance] of cases) {
    assert.equal(editDistance(one, other), distance, `${one} ${other}`)
    assert.equal(editDistance(other, one), distance, `${other} ${one}`)
  }
})

test('an unknown variable is reported with the most similar setting', () => {
  const env = {
    OXBOW_PROT: '1',
    OXBOW_EXTERNAL_ULR: 'x',
    OXBOW_DATABASE_URL: 'x',
    OXBOW_FAVOURITE_COLOUR: 'green',
  }
  assert.deepEqual(describeUnknownVariables(env), [
    'OXBOW_PROT is not a setting; did you mean OXBOW_PORT?',
    'OXBOW_EXTERNAL_ULR is not a setting; did you mean OXBOW_EXTERNAL_URL?',
    'OXBOW_DATABASE_URL is not a setting; did you mean DATABASE_URL?',
    'OXBOW_FAVOURITE_COLOUR is not a setting. `oxbow config` lists the settings.',
  ])
})

test('known, empty, Kubernetes and unrelated variables are not reported', () => {
  const env = {
    OXBOW_PORT: '1',
    OXBOW_CONFIG: 'x',
    OXBOW_PROT: '',
    OXBOW_SERVICE_HOST: '10.0.0.1',
    OXBOW_PORT_8484_TCP_ADDR: '10.0.0.1',
    PATH: '/bin',
  }
  assert.deepEqual(describeUnknownVariables(env), [])
})
