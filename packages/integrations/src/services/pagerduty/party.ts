import { z } from 'zod'
import { optional, text, url } from '../../writing.ts'

/** A person, a service, an integration: whatever PagerDuty refers to. */
export const party = z
  .object({ summary: text, html_url: optional(url) })
  .transform(({ summary, html_url }) => ({ name: summary, url: html_url }))
