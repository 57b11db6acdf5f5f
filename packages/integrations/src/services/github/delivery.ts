import { z } from 'zod'
import { branches, flag } from '../../git/options.ts'
import { type anything, type Delivery, type Outcome, optional, text, url } from '../../writing.ts'

export const options = {
  branches,
  ignore_private_repositories: flag(false),
  include_repository_name: flag(false),
}

type GitHubDelivery = Delivery<z.output<typeof anything>, typeof options>

export type Translator = (delivery: GitHubDelivery) => Outcome

/** The repository and the actor, which most events have. */
export const repositoryFields = {
  repository: z.object({ name: text }),
  sender: z.object({ login: text }),
}

export const linkedRepositoryFields = {
  ...repositoryFields,
  repository: z.object({ name: text, full_name: text, html_url: url }),
}

/** A user, an organization or an app. */
export const account = z.object({ login: text, html_url: url })

export const milestone = z
  .object({ title: text, html_url: optional(url) })
  .transform(({ title, html_url }) => ({ title, url: html_url }))
