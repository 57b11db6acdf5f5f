/** Facts about a text, collected while its HTML is written. */
export type Findings = {
  mentionedUserIds: Set<number>
  mentionedGroupIds: Set<number>
  mentionsWildcard: boolean
  /** Link targets as written in `href`, without duplicates, in order of appearance. */
  links: Set<string>
  hasImage: boolean
  /**
   * Whether a formula was shown as source because no engine was passed: load it and render again.
   */
  missingMath: boolean
  missingLanguages: Set<string>
}

export function createFindings(): Findings {
  return {
    mentionedUserIds: new Set(),
    mentionedGroupIds: new Set(),
    mentionsWildcard: false,
    links: new Set(),
    hasImage: false,
    missingMath: false,
    missingLanguages: new Set(),
  }
}

const uploadPath = /^\/?user_uploads\/([^?#]+)/

/** Links to this server's uploads are relative by the time they are written. */
export function listUploads(links: Iterable<string>): string[] {
  const uploads = new Set<string>()
  for (const link of links) {
    const path = uploadPath.exec(link)?.[1]
    if (path) uploads.add(path)
  }
  return [...uploads]
}
