import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFloatingPromises } from './floating-promises.ts'

const linesOf = (found: string[]) => found.map((fault) => Number(fault.split(':')[1]))

function findIn(...lines: string[]): number[] {
  const mail = {
    path: 'a/mail.ts',
    text: 'export async function sendMail() {}\nexport const count = () => 5\n',
  }
  return linesOf(findFloatingPromises([mail, { path: 'a/b.ts', text: lines.join('\n') }]))
}

test('unawaited calls of async functions are reported', () => {
  assert.deepEqual(
    findIn(
      "import { count, sendMail as send } from './mail.ts'",
      'const wait = async () => {}',
      'function later(',
      '  milliseconds: number,',
      '): Promise<void> {',
      '  send()',
      '  count()',
      '  if (milliseconds > 5) wait()',
      '  return wait()',
      '}',
      'class Thing {',
      '  async #go() {}',
      '  run() {',
      '    this.#go()',
      '    later(5)',
      '  }',
      '}',
      'wait().then(',
      '  (sent) => {',
      '    show(sent, (error: unknown) => {})',
      '  },',
      ')',
    ),
    [6, 8, 14, 15, 18],
  )
})

test('calls that are awaited, returned, passed as arguments, voided or caught are allowed', () => {
  assert.deepEqual(
    findIn(
      "import { sendMail } from './mail.ts'",
      'await sendMail()',
      'void sendMail()',
      'sendMail().catch(() => {})',
      'sendMail(',
      '  5,',
      ').catch(() => {})',
      'sendMail().then(() => 5, reject)',
      'sendMail().then(',
      '  (sent) => {',
      '    show(sent)',
      '  },',
      '  (error: unknown) => {',
      '    report(error)',
      '  },',
      ')',
      'const sent = sendMail()',
      'await Promise.all([',
      '  sendMail(),',
      '])',
      'const later = () =>',
      '  sendMail()',
    ),
    [],
  )
})

test('unawaited queries are reported, also if they span several lines', () => {
  assert.deepEqual(
    findIn(
      'async function forget(tx: Tx) {',
      '  await sql`delete from a`.execute(tx)',
      '  // Not awaited.',
      '  sql`delete from b`.execute(tx)',
      '  tx',
      "    .deleteFrom('c')",
      '    .execute()',
      "  tx.deleteFrom('d').execute()",
      '  const rows =',
      '    sql`select 1`.execute(db)',
      '}',
    ),
    [4, 5, 8],
  )
})
