import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { callerErrors, errors, listEndpoints, listRaisableErrors } from '@oxbow/contract'

const root = join(import.meta.dirname, '..', '..', '..')

/** Returns the names of errors that the code raises: in the server, and in the contract's decoding. */
function listRaised(): Set<string> {
  const files = globSync(['apps/server/src/**/*.ts', 'packages/contract/src/{kernel,shapes}/*.ts'], {
    cwd: root,
  })
  const raised = new Set<string>()
  for (const file of files) {
    // The list of errors that any call may return raises no error.
    if (file.endsWith('.test.ts') || file.endsWith('kernel/endpoint.ts')) continue
    // A comparison with an error's name does not raise it.
    const text = readFileSync(join(root, file), 'utf8').replace(/\.is\('\w+'\)/g, '')
    for (const [, name = ''] of text.matchAll(/'([A-Z][A-Z0-9_]+)'/g)) raised.add(name)
  }
  for (const { endpoint } of listEndpoints())
    for (const rule of (endpoint.only ?? []) as (keyof typeof callerErrors)[]) raised.add(callerErrors[rule])
  return raised
}

test('every declared error is raised somewhere', () => {
  const raised = listRaised()

  assert.deepEqual(
    Object.keys(errors).filter((name) => !raised.has(name)),
    [],
  )
})

test('every error that an endpoint lists is declared', () => {
  for (const { name, endpoint } of listEndpoints())
    for (const error of listRaisableErrors(endpoint)) assert.ok(error in errors, `${error} of ${name}`)
})

test('no error text names the plans or settings of another product', () => {
  for (const [name, { msg }] of Object.entries(errors)) {
    assert.doesNotMatch(msg, /\b[Zz]ulip\b|Standard|[Uu]pgrade/, name)
    for (const [setting] of msg.matchAll(/\b[A-Z]+(_[A-Z]+)+\b/g)) assert.match(setting, /^OXBOW_/, name)
  }
})
