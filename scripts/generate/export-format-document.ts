import type { Field } from '../../apps/server/src/administration/exports/format/fields.ts'
import type { RecordType } from '../../apps/server/src/administration/exports/format/record-type.ts'
import { recordTypes } from '../../apps/server/src/administration/exports/format/records.ts'

/** Returns the text of docs/export-format.md: the layout of exports, and every type of record. */
export function exportFormatDocument(): string {
  return `# Format of exports

An export has everything that belongs to one organization and that another server can use: people, streams, messages, files, settings. \`oxbow organization export DIR\` writes it into a directory; an administrator's export is a compressed tar file with the same files. Its files are plain: JSON in lines, and files as they were uploaded. Any program can read them; [export-format.schema.json](api/export-format.schema.json) has a JSON Schema of every line. This page and the schema are generated from the code that writes exports.

\`\`\`
DIR/
  records/message/000001.jsonl   records of one type, one JSON object in each line, in parts of about 4 MB
  files/uploads/71               an uploaded file; the record of the upload has its name and type
  files/avatars/7-small.png      pictures of people (small and medium), of emoji and of the organization
  checksums/000001.sha256        SHA-256 of the files above, for \`sha256sum --check\`, in lists of 1,000
  manifest.json                  what the export contains; written last
  manifest.json.sha256           its checksum
\`\`\`

## Guarantees

- **One moment.** All records are of one snapshot of the database. Nodes run meanwhile, and nothing is changed.
- **Complete or absent.** The directory gets its name when everything is written; until then it is called \`DIR.<random number>.partial\`. A killed export leaves only that directory; an export to the same path that begins a quarter of an hour later removes it.
- **No secrets.** There are no passwords, API keys, sessions, e-mail addresses of streams, tokens and configurations of bots, invitations, links in e-mails, or tokens of phones.
- **Ids** are those of the server that made the export. An import maps them, also inside texts and HTML. Ids of one kind are unique; the table below names the kind of each id.

## Scope

The manifest has a field \`scope\`:

| scope | contains |
|---|---|
| \`everything\` | all records. Only an operator can make such an export, on the command line |
| \`public\` | what every member can see: messages of public streams with their reactions and files, and the list of people. Addresses that nobody may see are null |

## How to read it

1. Compare \`manifest.json\` with \`manifest.json.sha256\`, then all files with the lists in \`checksums/\`. The SHA-256 of the lists together, in the order of their names, is \`contents.sha256\` in the manifest.
2. Read the records of a type in the order of the names of the parts. Records are sorted as the table says.
3. Times are ISO 8601 in UTC with up to six decimals. Texts are UTF-8 and contain no U+0000.
4. A release that adds or changes a type or a field increases the number in \`format\`. An import refuses numbers and fields that it does not know.

## Records

${recordTypes.map(describeType).join('\n')}`
}

function describeType(type: RecordType): string {
  const rows = Object.entries(type.fields).map(
    ([name, field]) => `| \`${name}\` | ${describeForm(field)} | ${field.about} |`,
  )
  return `### ${type.name}

${type.about} ${describeScope(type)}

| field | form | meaning |
|---|---|---|
${rows.join('\n')}
`
}

function describeScope({ inPublic }: RecordType): string {
  if (inPublic === true) return 'In both scopes.'
  return inPublic === false
    ? 'Only in the scope `everything`.'
    : 'The scope `public` has only records of public streams.'
}

interface JsonForm {
  type?: string
  anyOf?: JsonForm[]
  items?: JsonForm
  enum?: unknown[]
}

function describeForm(field: Field): string {
  const form = describeSchema(field.schema.toJSONSchema() as JsonForm)
  switch (field.role) {
    case 'id':
      return `${form}: ${field.kind}`
    case 'markdown':
    case 'html':
      return `${form}: ${field.role === 'html' ? 'HTML' : 'Markdown'}`
    default:
      return form
  }
}

function describeSchema({ type, anyOf, items, enum: values }: JsonForm): string {
  if (values) return values.map((value) => `\`${JSON.stringify(value)}\``).join(', ')
  if (anyOf) return anyOf.map(describeSchema).join(' or ')
  return items ? `array of ${describeSchema(items)}` : (type ?? 'any')
}
