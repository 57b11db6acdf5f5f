/** Facts about a text, collected while its HTML is written. */
export type Findings = {
  mentionedUserIds: Set<number>
  mentionedGroupIds: Set<number>
  mentionsWildcard: boolean
  /** Link targets as written in `href`, without duplicates, in order of appearance. */
  links: Set<string>
  /** Targets of links to pages that may have a preview. */
  pageLinks: Set<string>
  hasImage: boolean
  /** Set if a formula was shown as source because no engine was passed. Load the engine and render again. */
  missingMath: boolean
  missingLanguages: Set<string>
}

export function createFindings(): Findings {
  return {
    mentionedUserIds: new Set(),
    mentionedGroupIds: new Set(),
    mentionsWildcard: false,
    links: new Set(),
    pageLinks: new Set(),
    hasImage: false,
    missingMath: false,
    missingLanguages: new Set(),
  }
}

const uploadPath = /^\/?user_uploads\/([^?#]+)/

/**
 * Returns the path after `/user_uploads/` in a link of the rendered HTML, where links to this
 * server are relative.
 */
export function findUploadPath(link: string): string | undefined {
  return uploadPath.exec(link)?.[1]
}

/**
 * Decodes a path, which may be percent-encoded or written as the upload returned it. The result
 * contains no NUL, which databases refuse and no path contains.
 */
export function decodeUploadPath(path: string): string {
  try {
    const decoded = decodeURIComponent(path)
    return decoded.includes('\0') ? path : decoded
  } catch {
    return path
  }
}

export function listUploads(links: Iterable<string>): string[] {
  const uploads = new Set<string>()
  for (const link of links) {
    const path = findUploadPath(link)
    if (path) uploads.add(path)
  }
  return [...uploads]
}
