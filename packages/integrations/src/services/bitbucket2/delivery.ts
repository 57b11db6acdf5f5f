import { z } from 'zod'
import { branches } from '../../git/options.ts'
import { type anything, type Delivery, type Outcome, optional, text, url } from '../../writing.ts'

export const options = { branches }

type BitbucketDelivery = Delivery<z.output<typeof anything>, typeof options>

export type Translator = (delivery: BitbucketDelivery) => Outcome

/**
 * Reads the name of a user from the first of these fields that is present. Privacy settings may
 * hide some of them.
 */
export const account = z.union([
  z.object({ username: text }).transform(({ username }) => username),
  z.object({ display_name: text }).transform(({ display_name }) => display_name),
  z.object({ nickname: text }).transform(({ nickname }) => nickname),
])

/** Reads the URL of the page from the `links` of an object. */
export const page = z.object({ html: z.object({ href: url }) }).transform(({ html }) => html.href)

export const repositoryFields = {
  actor: account,
  repository: z.object({ name: text, full_name: optional(text), links: page }),
}

export const comment = z.object({
  content: z.object({ raw: optional(text) }),
  links: optional(page),
})
