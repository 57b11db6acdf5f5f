import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { readRefusal } from '../text/refusal.ts'

/** A list that a page fetches when it is shown. */
export interface Loaded<Value> {
  /** The loaded value; undefined until the first response. */
  readonly value: Value | undefined
  /** The reason why the last request failed. */
  readonly problem: string | undefined
  /** Fetches the value again; the old value stays until the response arrives. */
  readonly reload: () => Promise<void>
}

/**
 * Fetches a value when the component is shown. A response that arrives late never replaces a newer
 * one.
 */
export function useLoaded<Value>(load: () => Promise<Value>): Loaded<Value> {
  const [outcome, setOutcome] = useState<Omit<Loaded<Value>, 'reload'>>({
    value: undefined,
    problem: undefined,
  })
  const newest = useRef(0)
  const latestLoad = useRef(load)
  latestLoad.current = load
  const reload = useCallback(async () => {
    const request = ++newest.current
    try {
      const value = await latestLoad.current()
      if (request === newest.current) setOutcome({ value, problem: undefined })
    } catch (error) {
      if (request === newest.current)
        setOutcome(({ value }) => ({ value, problem: readRefusal(error).reason }))
    }
  }, [])
  useEffect(() => {
    void reload()
    return () => {
      newest.current++
    }
  }, [reload])
  return { ...outcome, reload }
}
