/** Puts a topic on one line. `fitTopic` truncates it later. */
const topic = (words: string): string => words.replace(/\s+/g, ' ').trim()

export const repositoryTopic = (repository: string): string => topic(repository)

export const branchTopic = (repository: string, branch: string): string => topic(`${repository} / ${branch}`)

/** The parts of a pull request or an issue that a topic shows. */
export interface Titled {
  /** The abbreviation in the topic: `PR`, `MR`, `Issue`, `Snippet`. */
  readonly type: string
  readonly number: string
  readonly title: string
}

export const numberedTopic = (repository: string, { type, number, title }: Titled): string =>
  topic(`${repository} / ${type} #${number} ${title}`)

export const releaseTopic = (repository: string, tag: string, title: string): string =>
  topic(`${repository} / ${tag} ${title}`)
