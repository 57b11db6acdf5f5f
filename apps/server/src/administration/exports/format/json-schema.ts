import { z } from 'zod'
import { exportManifestSchema } from './manifest.ts'
import { recordSchema } from './record-type.ts'
import { recordTypes } from './records.ts'

/** Returns the JSON Schema of exports: one definition for the manifest and for each type of record. */
export function exportJsonSchema(): object {
  const definitions = Object.fromEntries([
    ['manifest', toJsonSchema(exportManifestSchema)],
    ...recordTypes.map((type) => {
      const { properties, ...schema } = toJsonSchema(recordSchema(type)) as {
        properties: Record<string, object>
      }
      const described = Object.entries(type.fields).map(([name, { about }]) => {
        const property = properties[name] as { description?: string }
        const form = property.description
        return [name, { ...property, description: form ? `${about} (${form})` : about }] as const
      })
      return [type.name, { ...schema, properties: Object.fromEntries(described) }] as const
    }),
  ])
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Export of an organization',
    $defs: definitions,
  }
}

function toJsonSchema(schema: z.ZodType): object {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema)
  return rest
}
