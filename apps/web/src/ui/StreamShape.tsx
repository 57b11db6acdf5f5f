import './StreamShape.css'
import { Icon } from './Icon.tsx'

export type StreamShapeKind = 'public' | 'private' | 'announcement'

/** The icon of a stream. Its shape shows the kind of the stream; the user chooses its colour. */
export function StreamShape({ kind, color }: { kind: StreamShapeKind; color: string }) {
  return (
    <span class="StreamShape" style={{ '--stream': color }}>
      <Icon name={`shape-${kind}`} />
    </span>
  )
}
