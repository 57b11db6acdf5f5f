/** The description of a backup as an archive contains it, for archives that tests write. */
export const sampleManifest = {
  format: 1,
  version: '0.1.0',
  created_at: '2026-11-16T19:00:00.000Z',
  postgres: '15.20',
  encoding: 'UTF8',
  collation: 'C.UTF-8',
  migrations: [{ name: '0001_first', checksum: 'ab' }],
  job_migration: 1,
  functions: [],
  organizations: 1,
  secret: { fingerprint: 'ab', old_fingerprint: null, rotated_at: null, is_included: false },
  sequences: [],
}
