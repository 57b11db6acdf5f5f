import { z } from 'zod'
import { id, link, optional, text, url } from '../../writing.ts'

const person = z.object({ displayName: text, emailAddress: optional(text) })

export const author = z.object({ displayName: text }).transform(({ displayName }) => displayName)

export const issue = z.object({
  key: text,
  self: optional(url),
  fields: z.object({
    summary: text,
    priority: optional(z.object({ name: text })),
    assignee: optional(person),
  }),
})
export type Issue = z.output<typeof issue>

export const comment = z.object({
  id: optional(id),
  self: optional(url),
  body: optional(text),
  author: optional(author),
  updateAuthor: optional(author),
})

export type People = ReadonlyMap<string, string>

const oneLine = (words: string): string => words.replace(/\s+/g, ' ')

export const issueTopic = ({ key, fields }: Issue): string => oneLine(`${key}: ${fields.summary}`)

export function linkIssue({ key, self, fields }: Issue, showsTitle: boolean): string {
  const site = self?.split('/rest/api/', 2)
  const page = site?.length === 2 ? `${site[0]}/browse/${encodeURIComponent(key)}` : undefined
  return link(showsTitle ? `${key}: ${fields.summary}` : key, page)
}

/** Returns the name in this organization if the user is known, otherwise the name in Jira. */
export function findAssigneeName({ fields }: Issue, people: People): string | undefined {
  const { assignee } = fields
  if (assignee === undefined) return undefined
  const name = assignee.emailAddress && people.get(assignee.emailAddress)
  return name ?? assignee.displayName
}
