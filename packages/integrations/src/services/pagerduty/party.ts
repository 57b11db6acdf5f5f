import { z } from 'zod'
import { optional, text, url } from '../../writing.ts'

/** PagerDuty's reference to a person, a service or an integration. */
export const party = z
  .object({ summary: text, html_url: optional(url) })
  .transform(({ summary, html_url }) => ({ name: summary, url: html_url }))
