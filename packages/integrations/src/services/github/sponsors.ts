import { z } from 'zod'
import { choose } from '../../git/choose.ts'
import { line, link, optional, postMessages, read, text, unsupported } from '../../writing.ts'
import { account, type Translator } from './delivery.ts'

const tier = z.object({ name: text })

const sponsorshipEvent = z.object({
  action: text,
  effective_date: optional(text),
  sponsorship: z.object({ sponsor: account, sponsorable: account, tier }),
  changes: optional(z.object({ tier: z.object({ from: tier }) })),
})

/** Private sponsors are included, because the webhook belongs to the maintainer. */
export const sponsorshipChanged: Translator = ({ payload }) => {
  const { action, changes, effective_date, sponsorship } = read(sponsorshipEvent, payload)
  const { sponsor, sponsorable, tier } = sponsorship
  const sponsorableLink = link(sponsorable.login, sponsorable.html_url)
  const from = changes ? ` from ${line(changes.tier.from.name)}` : ''
  const start = effective_date === undefined ? '' : ` from ${line(effective_date).slice(0, 10)} on`
  const headline = choose(action, {
    created: `now sponsors ${sponsorableLink} with ${line(tier.name)}`,
    cancelled: `no longer sponsors ${sponsorableLink}`,
    edited: 'changed who can see the sponsorship',
    tier_changed: `changed the sponsorship${from} to ${line(tier.name)}`,
    pending_cancellation: `will stop sponsoring ${sponsorableLink}${start}`,
    pending_tier_change: `will change the sponsorship${from} to ${line(tier.name)}${start}`,
  })
  if (headline === undefined) return unsupported(`sponsorship:${action}`)
  return postMessages({ topic: 'sponsors', content: `${link(sponsor.login, sponsor.html_url)} ${headline}.` })
}
