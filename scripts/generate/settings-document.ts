import { type SettingName, settings } from '../../apps/server/src/platform/config/settings.ts'

/** Texts for defaults that depend on the machine. */
const describedDefaults: Partial<Record<SettingName, string>> = {
  data_dir: '`$XDG_DATA_HOME/oxbow` or `~/.local/share/oxbow`',
}

/** Returns the text of docs/settings.md: every setting that the server declares, with its default. */
export function settingsDocument(): string {
  const rows = Object.entries(settings).map(([name, { env, schema, about }]) => {
    const shown = describedDefaults[name as SettingName] ?? showDefault(schema.safeParse(undefined).data)
    return `| \`${env}\` | \`${name}\` | ${shown} | ${about.replaceAll('|', '\\|')} |`
  })
  return `# Settings

All settings of the server, each with its environment variable, its name in the JSON file of \`OXBOW_CONFIG\`, and its default. [Operating](operating.md) says how settings are given and explains the ones that most servers need; \`oxbow config\` shows the values that a node uses.

| variable | name in the file | default | meaning |
|---|---|---|---|
${rows.join('\n')}
`
}

function showDefault(value: unknown): string {
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return ''
  return `\`${Array.isArray(value) ? value.join(', ') : value}\``
}
