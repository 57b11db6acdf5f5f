import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { loadLaterTexts } from '../text/t.ts'

/**
 * Returns a view whose chunk is loaded when it is first shown, together with the texts that the
 * first screen does not use. If loading fails, only its pane shows an error.
 */
export function lazyView<Properties = object>(
  load: () => Promise<ComponentType<Properties>>,
): ComponentType<Properties> {
  let loaded: ComponentType<Properties> | undefined
  return function LazyView(properties: Properties) {
    const [outcome, setOutcome] = useState<{ error?: unknown }>({})
    useEffect(() => {
      if (loaded) return
      let isShown = true
      Promise.all([load(), loadLaterTexts()]).then(
        ([component]) => {
          loaded = component
          if (isShown) setOutcome({})
        },
        (error: unknown) => {
          if (isShown) setOutcome({ error })
        },
      )
      return () => {
        isShown = false
      }
    }, [])
    if (outcome.error !== undefined) throw outcome.error
    const Loaded = loaded
    return Loaded ? <Loaded {...(properties as Properties & object)} /> : null
  }
}
