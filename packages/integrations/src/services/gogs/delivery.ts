import { z } from 'zod'
import { branches } from '../../git/options.ts'
import { type anything, type Delivery, type Outcome, text, url } from '../../writing.ts'

export const options = { branches }

export type GogsDelivery = Delivery<z.output<typeof anything>, typeof options>

export type Translator = (delivery: GogsDelivery) => Outcome

/** Reads the name of a user. Gitea sends both fields, some versions of Gogs only one. */
export const account = z.union([
  z.object({ username: text }).transform(({ username }) => username),
  z.object({ login: text }).transform(({ login }) => login),
])

export const repositoryFields = {
  repository: z.object({ name: text, html_url: url }),
  sender: account,
}
