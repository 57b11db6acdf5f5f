import { z } from 'zod'
import { branches, flag } from '../../git/options.ts'
import { type anything, type Delivery, type Outcome, optional, read, text, url } from '../../writing.ts'

export const options = { branches, use_merge_request_title: flag(true) }

export type GitLabDelivery = Delivery<z.output<typeof anything>, typeof options>

export type Translator = (delivery: GitLabDelivery) => Outcome

/** The actor, in all events except pushes. */
export const byUser = { user: z.object({ name: text }) }

const project = z.object({ name: text, web_url: url })

const repository = z.object({ name: text, homepage: url })

export interface Project {
  readonly name: string
  /** The URL of its pages. */
  readonly home: string
}

const projectPayload = z.object({ project: optional(project), repository: optional(repository) })

export function findProject(payload: unknown): Project | undefined {
  const { project, repository } = read(projectPayload, payload)
  if (project) return { name: project.name, home: project.web_url }
  return repository && { name: repository.name, home: repository.homepage }
}

const inProject = z.object({ project })

export function getProject(payload: unknown): Project {
  const found = findProject(payload)
  if (found) return found
  const { name, web_url } = read(inProject, payload).project
  return { name, home: web_url }
}
