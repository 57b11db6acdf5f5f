import { z } from 'zod'
import { scopes } from './record-type.ts'

/** Incremented with each change that older releases cannot read. */
export const exportFormat = 1

const recordsPrefix = 'records/'
export const filesPrefix = 'files/'
const count = z.int().nonnegative()
const hex = z.string().regex(/^[0-9a-f]{64}$/)

export const exportManifestSchema = z
  .strictObject({
    format: z.literal(exportFormat),
    version: z.string().max(100).describe('release of Oxbow that made the export'),
    created_at: z.iso.datetime().describe('time of the snapshot'),
    scope: z.enum(scopes).describe('`everything`, or `public`: only data that all members can see'),
    organization: z.strictObject({
      id: z.int().positive().describe('id of the organization on its server; paths in texts contain it'),
      name: z.string().max(200),
      subdomain: z.string().max(63),
      url: z.string().max(500).nullable().describe('its address, which links in texts may contain'),
    }),
    records: z.record(z.string().regex(/^[a-z_]{1,40}$/), count).describe('number of records of each type'),
    files: z
      .strictObject({ count, bytes: count, missing: count })
      .describe('files beside the records; `missing` are in the database but not in the store'),
    contents: z
      .strictObject({ count, sha256: hex })
      .describe('number of files that have a checksum, and the SHA-256 of the concatenated checksum lists'),
  })
  .describe('The file `manifest.json`, which is written last.')
export type ExportManifest = z.output<typeof exportManifestSchema>

/** Returns the name of the file with one part of the records of a type. */
export const recordsPartName = (type: string, part: number): string =>
  `${recordsPrefix}${type}/${String(part).padStart(6, '0')}.jsonl`
