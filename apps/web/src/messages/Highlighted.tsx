import { useLayoutEffect, useRef } from 'preact/hooks'
import { renderBody } from './enrich.ts'

/** A line of text in which the server has marked the matches of a search. */
export function Highlighted({ html }: { html: string }) {
  const ref = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    ref.current?.replaceChildren(renderBody(html))
  }, [html])
  return <span ref={ref} />
}
