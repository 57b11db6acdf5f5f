import type { Bot, BotEvent } from '@oxbow/contract'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { onFollowed } from '../client/events.ts'
import { readRefusal } from '../text/refusal.ts'
import { fetchBotKey } from './change-bot.ts'

export interface ShownSecret {
  /** The secret; undefined while it is not shown. */
  readonly value: string | undefined
  /** The reason why it could not be fetched. */
  readonly problem: string | undefined
  /** Fetches and shows the secret; does nothing while it is being fetched. */
  readonly show: () => Promise<void>
  /** Fetches and shows the secret, also if a response with the previous one may be on its way. */
  readonly reload: () => Promise<void>
  readonly hide: () => void
}

/**
 * Fetches a secret of a bot when the user asks for it, and keeps it until it is hidden or the page is
 * left. While it is shown, it is fetched again after events that may have changed it.
 */
export function useSecret(
  load: () => Promise<string | undefined>,
  hasChanged: (event: BotEvent) => boolean,
): ShownSecret {
  const value = useSignal<string | undefined>(undefined)
  const problem = useSignal<string | undefined>(undefined)
  const isWanted = useRef(false)
  const isLoading = useRef(false)
  const newest = useRef(0)
  const reload = async () => {
    const request = ++newest.current
    isWanted.current = true
    isLoading.current = true
    try {
      const loaded = await load()
      if (request !== newest.current) return
      value.value = loaded
      problem.value = undefined
    } catch (error) {
      if (request !== newest.current) return
      // A secret that was shown before may have been replaced.
      value.value = undefined
      problem.value = readRefusal(error).reason
    } finally {
      if (request === newest.current) isLoading.current = false
    }
  }
  const show = async () => {
    if (!isLoading.current) await reload()
  }
  const hide = () => {
    newest.current++
    isWanted.current = false
    isLoading.current = false
    value.value = undefined
    problem.value = undefined
  }
  const latest = useRef({ reload, hasChanged })
  latest.current = { reload, hasChanged }
  useEffect(() => {
    const stop = onFollowed((followed) => {
      // A response that is still on its way may contain the previous secret.
      if (!isWanted.current) return
      const isNew =
        followed.kind === 'state' ||
        (followed.event.type === 'realm_bot' && latest.current.hasChanged(followed.event))
      if (isNew) void latest.current.reload()
    })
    return () => {
      stop()
      newest.current++
    }
  }, [])
  return { value: value.value, problem: problem.value, show, reload, hide }
}

/** The API key of a bot, fetched when the user asks for it. */
export const useBotKey = (bot: Bot): ShownSecret =>
  useSecret(
    () => fetchBotKey(bot),
    (event) => event.bot.user_id === bot.user_id && 'api_key' in event.bot,
  )
