import { writeFileSync } from 'node:fs'
import { dumpSchema } from '../../apps/server/src/platform/database/test/dump-schema.ts'

// Writes apps/server/src/migrations/schema.sql: the schema after all migrations, for readers and
// reviewers.
writeFileSync('apps/server/src/migrations/schema.sql', await dumpSchema())
