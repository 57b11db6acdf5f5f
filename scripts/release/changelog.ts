export interface Release {
  /** `Unreleased`, or a version such as `0.1.0`. */
  version: string
  /** A date such as `2027-01-31`; undefined for `Unreleased`. */
  date: string | undefined
  /** Titles of the sections, in the order of the file. */
  sections: string[]
  /** The Markdown below the heading. */
  notes: string
}

const allowedSections = ['Added', 'Changed', 'Fixed', 'Removed', 'Security']
const heading = /^## (?:(Unreleased)|(\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d)\))$/

/** Reads the versions of a changelog, in the order of the file. Throws if a heading has another form. */
export function readChangelog(text: string): Release[] {
  const parts = text.split(/^(?=## )/m).filter((part) => part.startsWith('## '))
  return parts.map((part) => {
    const [title = '', ...lines] = part.split('\n')
    const [, unreleased, version = unreleased, date] = heading.exec(title) ?? []
    if (!version) throw new Error(`"${title}" must be "## Unreleased" or like "## 0.1.0 (2027-01-31)"`)
    const sections = lines.filter((line) => line.startsWith('### ')).map((line) => line.slice(4))
    const unknown = sections.filter((section) => !allowedSections.includes(section))
    if (unknown.length > 0) throw new Error(`${version}: sections are ${allowedSections.join(', ')}`)
    return { version, date, sections, notes: lines.join('\n').trim() }
  })
}

/**
 * Returns the notes of a tag such as `v0.1.0`. Throws if the versions in the tag, the package and
 * the changelog differ.
 */
export function findReleaseNotes(tag: string, packageVersion: string, changelog: string): string {
  if (tag !== `v${packageVersion}`)
    throw new Error(`The tag is ${tag}, but package.json has version ${packageVersion}.`)
  const release = readChangelog(changelog).find(({ version }) => version === packageVersion)
  if (!release)
    throw new Error(
      `CHANGELOG.md has no version ${packageVersion}: give "Unreleased" the version and a date.`,
    )
  return release.notes
}
