import type { Session } from '@oxbow/contract'
import { client } from '../data/client.ts'

/** Lists the account's sessions, most recently used first. */
export const listSessions = async (): Promise<readonly Session[]> => (await client.sessions.list()).sessions

/** Ends the session of another browser. */
export const endSession = ({ id }: Session): Promise<unknown> => client.sessions.end({ session_id: id })

/** Ends the sessions of all other browsers. */
export const endOtherSessions = (): Promise<unknown> => client.sessions.endOthers()
