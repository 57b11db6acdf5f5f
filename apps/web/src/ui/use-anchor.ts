import { useId } from 'preact/hooks'

export interface Anchor {
  /** Id of the element that is placed beside the anchor. */
  id: string
  /** Style of the element that is the anchor. */
  anchor: Record<string, string>
  /** Style of the element that is placed beside it. */
  placed: Record<string, string>
}

/**
 * Positions a floating element beside its anchor. If the browser does not support this, the style
 * sheet places it as a sheet at the bottom.
 */
export function useAnchor(): Anchor {
  const id = useId()
  const name = `--${id.replace(/\W/g, '-')}`
  return { id, anchor: { anchorName: name }, placed: { positionAnchor: name } }
}
