import type { Session } from '@oxbow/contract'
import { client } from '../data/client.ts'

/** Lists the sign-ins of the account, those used last first. */
export const listSessions = async (): Promise<readonly Session[]> => (await client.sessions.list()).sessions

/** Signs another browser out. */
export const endSession = ({ id }: Session): Promise<unknown> => client.sessions.end({ session_id: id })

/** Signs all browsers out but this one. */
export const endOtherSessions = (): Promise<unknown> => client.sessions.endOthers()
