/** On one line; what is too long is cut where messages are fitted. */
const topic = (words: string): string => words.replace(/\s+/g, ' ').trim()

export const repositoryTopic = (repository: string): string => topic(repository)

export const branchTopic = (repository: string, branch: string): string => topic(`${repository} / ${branch}`)

/** What of a pull request, an issue and the like shows in a topic. */
export interface Titled {
  /** `PR`, `MR`, `Issue`, `Snippet`. */
  readonly type: string
  readonly number: string
  readonly title: string
}

export const numberedTopic = (repository: string, { type, number, title }: Titled): string =>
  topic(`${repository} / ${type} #${number} ${title}`)

export const releaseTopic = (repository: string, tag: string, title: string): string =>
  topic(`${repository} / ${tag} ${title}`)
