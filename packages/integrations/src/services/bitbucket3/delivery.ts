import { z } from 'zod'
import { branches } from '../../git/options.ts'
import { type anything, type Delivery, id, link, type Outcome, optional, text, url } from '../../writing.ts'

export const options = { branches }

type BitbucketDelivery = Delivery<z.output<typeof anything>, typeof options>

export type Translator = (delivery: BitbucketDelivery) => Outcome

/** Reads the URL of the page from the `links` of an object. */
export const page = z
  .object({ self: z.tuple([z.object({ href: url })], z.unknown()) })
  .transform(({ self: [{ href }] }) => href)

/** Reads an account as Markdown: its name, linked to its page if the delivery has the URL. */
export const account = z
  .object({ name: text, links: optional(page) })
  .transform(({ name, links }) => link(name, links))

export const repository = z.object({
  name: text,
  links: optional(page.transform((browse) => browse.replace(/\/browse\/?$/, ''))),
})

export const repositoryFields = { actor: account, repository }

export const comment = z.object({ id: optional(id), text: optional(text) })
