import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { openApiDocument } from '@oxbow/contract/openapi'
import { exportJsonSchema } from '../../apps/server/src/administration/exports/format/json-schema.ts'
import { coverageDocument } from './api-coverage.ts'
import { exportFormatDocument } from './export-format-document.ts'
import { drawHouseMap } from './house-map.ts'
import { settingsDocument } from './settings-document.ts'
import { wireModule } from './wire-module.ts'

// Writes the generated files: docs/api/ and the table by which the SDK encodes requests, both from
// the contract; docs/settings.md; the format of exports; and the picture in docs/architecture.md. With --check, writes nothing and fails if a file is out of date.
const files = {
  'docs/api/openapi.json': `${JSON.stringify(openApiDocument(), null, 2)}\n`,
  'docs/api/coverage.md': coverageDocument(),
  'docs/settings.md': settingsDocument(),
  'docs/export-format.md': exportFormatDocument(),
  'docs/api/export-format.schema.json': `${JSON.stringify(exportJsonSchema(), null, 2)}\n`,
  'packages/contract/src/wire.generated.ts': wireModule(),
  'docs/images/house.svg': drawHouseMap(),
}

for (const [file, generated] of Object.entries(files)) {
  if (!process.argv.includes('--check')) {
    mkdirSync('docs/api', { recursive: true })
    writeFileSync(file, generated)
  } else if (!existsSync(file) || readFileSync(file, 'utf8') !== generated) {
    process.stderr.write(`${file} is out of date. Run: npm run docs\n`)
    process.exitCode = 1
  }
}
