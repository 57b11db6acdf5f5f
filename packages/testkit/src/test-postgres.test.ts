import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectionsFor, databasesFor, urlOf } from './test-postgres.ts'

test('the URL of a test database has its name, whatever database the URL of the server has', () => {
  for (const [server, expected] of [
    ['postgres://localhost:5432', 'postgres://localhost:5432/garden'],
    [
      'postgresql://iris:rose@db.example?sslmode=require',
      'postgresql://iris:rose@db.example/garden?sslmode=require',
    ],
    ['postgres://iris@127.0.0.1:5446/postgres', 'postgres://iris@127.0.0.1:5446/garden'],
    ['postgres:///postgres?host=/var/run/postgresql', 'postgres:///garden?host=/var/run/postgresql'],
  ] as const)
    assert.equal(urlOf('garden', server), expected)
})

test('the connections for a number of test databases are just enough for them', () => {
  assert.equal(databasesFor(100), 4)
  for (const databases of [1, 2, 7]) {
    assert.equal(databasesFor(connectionsFor(databases)), databases)
    assert.equal(databasesFor(connectionsFor(databases) - 1), databases - 1)
  }
})
