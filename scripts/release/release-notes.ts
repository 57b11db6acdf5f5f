import { readFileSync } from 'node:fs'
import { findReleaseNotes } from './changelog.ts'

// Prints the notes of a release: node scripts/release/release-notes.ts v0.1.0
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
process.stdout.write(
  `${findReleaseNotes(process.argv[2] ?? '', version, readFileSync('CHANGELOG.md', 'utf8'))}\n`,
)
