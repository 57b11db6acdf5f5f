import { rewriteRecords } from '../../events/log/rewrite-records.ts'
import type { App } from '../../platform/app.ts'
import { openOrSkip } from '../../platform/reseal.ts'
import { hasHeader } from '../../platform/seal.ts'
import { type SealedBot, sealOwnerOfRecord } from './event-shape.ts'

/**
 * Rewrites seals of another secret, or of none, in records about bots. Returns how many records
 * were rewritten.
 */
export function resealRecords({ db, secrets }: App): Promise<number> {
  return rewriteRecords(db, '"sealed":"', (json) => {
    const event = JSON.parse(json)
    if (event.type !== 'realm_bot') return undefined
    let isChanged = false
    for (const bot of (event.bots ?? [event.bot]) as SealedBot[]) {
      const old = Buffer.from(bot.sealed ?? '', 'base64')
      if (bot.sealed === undefined || hasHeader(old, { header: secrets.sealHeader })) continue
      const owner = sealOwnerOfRecord(bot.user_id)
      const text = openOrSkip(secrets, old, owner)
      if (text === undefined) continue
      bot.sealed = secrets.seal(text, owner).toString('base64')
      isChanged = true
    }
    return isChanged ? JSON.stringify(event) : undefined
  })
}
