import './StreamShape.css'
import { Icon } from './Icon.tsx'

export type StreamShapeKind = 'public' | 'private' | 'announcement'

/** The icon of a stream: its shape shows the kind, its colour is the user's choice. */
export function StreamShape({ kind, color }: { kind: StreamShapeKind; color: string }) {
  return (
    <span class="StreamShape" style={{ '--stream': color }}>
      <Icon name={`shape-${kind}`} />
    </span>
  )
}
