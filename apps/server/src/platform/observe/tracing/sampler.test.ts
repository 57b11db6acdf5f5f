import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SetupError } from '../../operator-error.ts'
import { readSampler } from './sampler.ts'

test('the sampler is the one that the standard variables name', () => {
  const describe = (name?: string, ratio?: string) =>
    String(readSampler({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }))
  assert.match(describe(), /^ParentBased\{root=AlwaysOnSampler/)
  assert.equal(describe('always_off'), 'AlwaysOffSampler')
  assert.equal(describe('traceidratio', '0.25'), 'TraceIdRatioBased{0.25}')
  assert.match(describe('parentbased_traceidratio', '0.05'), /^ParentBased\{root=TraceIdRatioBased\{0\.05\}/)
  assert.throws(() => describe('toString'), SetupError)
  assert.throws(() => describe('traceidratio', '2'), SetupError)
})
