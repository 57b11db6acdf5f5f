import { writeFileSync } from 'node:fs'
import { dumpSchema } from '../apps/server/test/dump-schema.ts'

// Writes apps/server/src/migrations/schema.sql: what all migrations add up to, for people to read and review.
writeFileSync('apps/server/src/migrations/schema.sql', await dumpSchema())
