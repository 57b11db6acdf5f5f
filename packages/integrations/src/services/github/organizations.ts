import { z } from 'zod'
import { choose } from '../../git/choose.ts'
import { setUpMessage } from '../../git/set-up.ts'
import { repositoryTopic } from '../../git/topics.ts'
import {
  bold,
  line,
  link,
  optional,
  postMessages,
  quote,
  read,
  text,
  unsupported,
  url,
} from '../../writing.ts'
import { account, linkedRepositoryFields, repositoryFields, type Translator } from './delivery.ts'

const membershipEvent = z.object({
  action: text,
  sender: repositoryFields.sender,
  member: account,
  team: z.object({ name: text, html_url: optional(url) }),
  organization: z.object({ login: text }),
})

export const membershipChanged: Translator = ({ payload }) => {
  const { action, member, organization, sender, team } = read(membershipEvent, payload)
  const memberLink = link(member.login, member.html_url)
  const which = `the team ${link(team.name, team.html_url)}`
  const headline = choose(action, {
    added: `added ${memberLink} to ${which}`,
    removed: `removed ${memberLink} from ${which}`,
  })
  if (headline === undefined) return unsupported(`membership:${action}`)
  return postMessages({
    topic: repositoryTopic(`${organization.login} organization`),
    content: `${line(sender.login)} ${headline}.`,
  })
}

const teamEvent = z.object({
  action: text,
  sender: repositoryFields.sender,
  team: z.object({ name: text, description: optional(text), privacy: optional(text) }),
  changes: optional(
    z.object({
      description: optional(z.object({})),
      name: optional(z.object({ from: text })),
      privacy: optional(z.object({})),
    }),
  ),
})
type TeamEvent = z.output<typeof teamEvent>

export const teamChanged: Translator = ({ payload }) => {
  const event = read(teamEvent, payload)
  const headline = event.action === 'edited' ? describeTeamChange(event) : undefined
  if (headline === undefined) return unsupported(`team:${event.action}`)
  return postMessages({
    topic: repositoryTopic(`team ${event.team.name}`),
    content: `${line(event.sender.login)} ${headline}`,
  })
}

function describeTeamChange({ changes, team }: TeamEvent): string | undefined {
  if (changes?.description)
    return team.description === undefined
      ? 'removed the description of the team.'
      : `changed the description of the team:\n\n${quote(team.description)}`
  if (changes?.name) return `renamed the team from ${bold(changes.name.from)} to ${bold(team.name)}.`
  if (changes?.privacy && team.privacy !== undefined) {
    const visibility = choose(team.privacy, {
      closed: 'visible to the organization',
      secret: 'visible to its members only',
    })
    return `made the team ${visibility ?? line(team.privacy)}.`
  }
}

const teamAddEvent = z.object({
  repository: linkedRepositoryFields.repository,
  team: z.object({ name: text }),
})

export const teamAdded: Translator = ({ payload }) => {
  const { repository, team } = read(teamAddEvent, payload)
  return postMessages({
    topic: repositoryTopic(repository.name),
    content: `The repository ${link(repository.full_name, repository.html_url)} was added to the team ${bold(team.name)}.`,
  })
}

const pingEvent = z.object({
  repository: optional(repositoryFields.repository),
  organization: optional(z.object({ login: text })),
  sender: optional(repositoryFields.sender),
})

export const ping: Translator = ({ payload }) => {
  const { organization, repository, sender } = read(pingEvent, payload)
  return postMessages({
    topic: repositoryTopic(repository?.name ?? organization?.login ?? 'GitHub'),
    content: setUpMessage('GitHub', sender?.login),
  })
}
