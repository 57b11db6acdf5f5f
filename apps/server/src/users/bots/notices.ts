import type { UserId } from '@oxbow/contract'
import type { UserRow } from '../../platform/database/tables.ts'
import { buildSilentMention, type Notice, type Person } from '../../streams/notices.ts'

type Bot = Pick<UserRow, 'full_name'>

/** To the owner of a bot whose key someone else replaced. Only the owner can read the new one. */
export function noticeOfNewKey({ full_name }: Bot, owner: UserId, by: Person): Notice {
  const content = `${buildSilentMention(by)} gave your bot **${full_name}** a new API key. The old one no longer works.`
  return { users: [owner], content }
}

/** To the person who owned a bot until now. */
export function noticeOfBotTaken({ full_name }: Bot, previous: UserId, to: Person, by: Person): Notice {
  const content = `${buildSilentMention(by)} gave your bot **${full_name}** to ${buildSilentMention(to)}. It has a new API key.`
  return { users: [previous], content }
}

/** To the person who owns a bot from now on, and did not ask for it. */
export function noticeOfBotGiven({ full_name }: Bot, owner: UserId, by: Person): Notice {
  const content = `${buildSilentMention(by)} made you the owner of the bot **${full_name}**. It has a new API key.`
  return { users: [owner], content }
}
