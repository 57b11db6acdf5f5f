import { type KnownStream, kindOf } from '../client/streams/streams.ts'
import { StreamShape } from '../ui/StreamShape.tsx'

/** Colour of streams that the user is not subscribed to. */
const noColor = 'var(--control)'

/** Icon and name of a stream, for the headers of views. */
export function StreamHeading({ stream, href }: { stream: KnownStream; href?: string }) {
  return (
    <span class="Conversation-title">
      <StreamShape kind={kindOf(stream)} color={'color' in stream ? stream.color : noColor} />
      {href ? (
        <a class="Conversation-topic Conversation-link" href={href}>
          <bdi>{stream.name}</bdi>
        </a>
      ) : (
        <span class="Conversation-topic">
          <bdi>{stream.name}</bdi>
        </span>
      )}
    </span>
  )
}
