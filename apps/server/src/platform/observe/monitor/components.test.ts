import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Config } from '../../config/settings.ts'
import { evaluateComponents } from './components.ts'
import type { DatabaseFigures } from './database-figures.ts'
import type { Sample } from './sample.ts'

const config = { smtp_url: 'smtp://mail.example', external_url: 'https://chat.example' } as Config
const database: DatabaseFigures = {
  is_standby: false,
  are_jobs_held: false,
  jobs: [],
  due_messages: 0,
  due_seconds: 0,
  backed_up_at: null,
  standbys: 0,
  standby_lag_seconds: null,
  standby_lag_bytes: null,
}
const healthy: Sample = {
  database,
  databaseSeconds: 0.01,
  secondsSinceMail: undefined,
  disks: [{ directory: 'files', free: 50, size: 100 }],
  areFilesFailing: false,
  isCutOff: false,
  outboxAgeMs: 0,
}
const working = { database: 'working', events: 'working', files: 'working', jobs: 'working', mail: 'working' }
const job = (figures: Partial<DatabaseFigures['jobs'][number]>): Partial<Sample> => ({
  database: {
    ...database,
    jobs: [
      {
        kind: 'mail_sign_up',
        waiting: 1,
        retrying: 0,
        newest_retrying_seconds: 0,
        given_up: 0,
        oldest_seconds: 0,
        ...figures,
      },
    ],
  },
})
const withDatabase = (figures: Partial<DatabaseFigures>): Partial<Sample> => ({
  database: { ...database, ...figures },
})
const lost = { database: 'down', events: 'down', jobs: 'down', mail: 'down' }

const failingMail = job({ retrying: 1, newest_retrying_seconds: 60 })
const mailDegraded = { mail: 'degraded' }

const cases: [name: string, observed: Partial<Sample>, changed: object][] = [
  ['a healthy server', {}, {}],
  [
    'PostgreSQL that did not answer in time',
    { database: undefined },
    { database: 'degraded', jobs: 'degraded', mail: 'degraded' },
  ],
  ['a node that lost PostgreSQL', { isCutOff: true }, lost],
  ['a standby', withDatabase({ is_standby: true }), lost],
  ['a slow database', { databaseSeconds: 2 }, { database: 'degraded' }],
  ['late events', { outboxAgeMs: 3_000 }, { events: 'degraded' }],
  ['events that are stuck', { outboxAgeMs: 60_000 }, { events: 'down' }],
  ['a failing file store', { areFilesFailing: true }, { files: 'down' }],
  ['a nearly full disk', { disks: [{ directory: 'files', free: 4, size: 100 }] }, { files: 'degraded' }],
  ['a full disk', { disks: [{ directory: 'files', free: 0, size: 100 }] }, { files: 'down' }],
  ['a full data directory without files', { disks: [{ directory: 'data', free: 0, size: 9 }] }, {}],
  ['an object store, which has no disk', { disks: [] }, {}],
  ['a job that waits for eleven minutes', job({ oldest_seconds: 660 }), { jobs: 'degraded' }],
  ['a job that waits for two hours', job({ oldest_seconds: 7_200 }), { jobs: 'down' }],
  ['held jobs', withDatabase({ are_jobs_held: true }), { jobs: 'degraded', mail: 'down' }],
  ['an e-mail that is retried', failingMail, mailDegraded],
  [
    'an e-mail that fails since the last one was sent',
    { ...failingMail, secondsSinceMail: 61 },
    mailDegraded,
  ],
  ['an e-mail that fails while another one was sent', { ...failingMail, secondsSinceMail: 59 }, {}],
  ['an e-mail that has failed for two hours', job({ retrying: 1, newest_retrying_seconds: 7_200 }), {}],
  ['another job that is retried', job({ kind: 'count_traffic', retrying: 1 }), {}],
]

for (const [name, observed, changed] of cases)
  test(`evaluateComponents reports only the affected components for ${name}`, () => {
    assert.deepEqual(evaluateComponents(config, { ...healthy, ...observed }), { ...working, ...changed })
  })

test('a server that sends no mail has no mail component', () => {
  assert.equal(evaluateComponents({} as Config, healthy).mail, undefined)
})
