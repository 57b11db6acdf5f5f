import assert from 'node:assert/strict'
import { test } from 'node:test'
import { referencePage } from './page.ts'

test('the API reference page is built once and shows the URL of the requested host', async () => {
  // Imports a separate copy of the module, because other tests of this process may have built the
  // page already.
  const { referencePage }: typeof import('./page.ts') = await import(`./page.ts?copy=${Date.now()}`)
  const timed = (origin: string) => {
    const before = process.threadCpuUsage()
    const page = referencePage(origin)
    const { user, system } = process.threadCpuUsage(before)
    return { page, took: user + system }
  }

  const first = timed('https://one.example')
  const later = Array.from({ length: 9 }, () => timed('https://two.example'))

  const median = later.map(({ took }) => took).sort((a, b) => a - b)[4] ?? 0
  assert.ok(median < first.took / 4, `${first.took} µs of processor time, then ${median} µs`)
  assert.match(first.page, /curl https:\/\/one\.example\/api\/v1\/users\/me/)
  assert.match(later[0]?.page ?? '', /curl https:\/\/two\.example\/api\/v1\/users\/me/)
  assert.doesNotMatch(first.page + later[0]?.page, /ORIGIN-OF|two\.example.*one\.example/)
})

test('the reference escapes the address of the host', () => {
  assert.match(referencePage('https://<b>.example'), /curl https:\/\/&#60;b&#62;\.example/)
})
