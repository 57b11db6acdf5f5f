import './StreamRow.css'
import { hasView } from '../client/route/has-route.ts'
import { canJoin, type ListedStream } from '../client/streams/stream-directory.ts'
import { type KnownStream, kindOf } from '../client/streams/streams.ts'
import { WhyNot } from '../frame/WhyNot.tsx'
import { firstLine } from '../message-text/first-line.ts'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { StreamShape } from '../ui/StreamShape.tsx'
import { askToLeave } from './ask-to-leave.ts'
import { kindText } from './kind-text.ts'
import { detailsHash, streamHash } from './stream-routes.ts'
import { joinStream } from './subscribe.ts'
import { subscriberCount } from './subscriber-counts.ts'

/** A stream in a list: name, description, number of members, traffic, and a button to join or leave. */
export function StreamRow({ listed, isActive }: { listed: ListedStream; isActive: boolean }) {
  const { stream, isIn } = listed
  const tabIndex = isActive ? 0 : -1
  const facts = [membersText(stream), trafficText(stream)].filter((text) => text !== undefined)
  return (
    <div class="StreamRow">
      <StreamShape kind={kindOf(stream)} color={'color' in stream ? stream.color : 'var(--control)'} />
      <div class="StreamRow-text">
        <a class="StreamRow-name" href={hrefOf(listed)} tabIndex={tabIndex}>
          <bdi>{stream.name}</bdi>
          <span class="Spoken">, {kindText(kindOf(stream))}</span>
        </a>
        <span class="StreamRow-about">
          <span class="StreamRow-inline">{facts.join(' · ')}</span>
          <bdi class="Cut">{firstLine(stream.rendered_description)}</bdi>
        </span>
      </div>
      <span class="StreamRow-facts">
        {facts.map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </span>
      {hasView('stream') && (
        <a
          class="IconButton StreamRow-details"
          href={detailsHash(stream)}
          tabIndex={tabIndex}
          aria-label={t('streams.details_of', { stream: stream.name })}
        >
          <Icon name="settings" />
        </a>
      )}
      <span class="StreamRow-membership">
        <Membership stream={stream} isIn={isIn} tabIndex={tabIndex} />
      </span>
    </div>
  )
}

/**
 * Returns the link of a stream. Administrators can manage private streams that they have not
 * joined, but cannot read them.
 */
export const hrefOf = ({ stream, isIn }: ListedStream): string =>
  isIn || canJoin(stream) ? streamHash(stream) : detailsHash(stream)

function Membership({ stream, isIn, tabIndex }: { stream: KnownStream; isIn: boolean; tabIndex: number }) {
  const { name, stream_id } = stream
  if (isIn)
    return (
      <Button
        look="plain"
        tabIndex={tabIndex}
        aria-label={t('streams.leave_named', { stream: name })}
        onClick={() => askToLeave(stream)}
      >
        {t('streams.leave')}
      </Button>
    )
  if (!canJoin(stream))
    return (
      <WhyNot subject={t('streams.join_named', { stream: name })} action="subscribe" about={{ stream_id }} />
    )
  return (
    <Button
      icon="plus"
      tabIndex={tabIndex}
      aria-label={t('streams.join_named', { stream: name })}
      onClick={() => void joinStream(stream)}
    >
      {t('streams.join')}
    </Button>
  )
}

function membersText({ stream_id }: KnownStream): string | undefined {
  const count = subscriberCount(stream_id)
  return count === undefined ? undefined : t('streams.members', { count })
}

function trafficText({ stream_weekly_traffic: count }: KnownStream): string {
  return count === null ? t('streams.new_stream') : t('streams.traffic', { count })
}
