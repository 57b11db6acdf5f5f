/** One server-sent event. Without data it only advances the client's last event id. */
export interface StreamedEvent {
  id: number
  data?: string
}

/** A response with server-sent events that continues until the client disconnects. */
export class EventStream {
  readonly open: (signal: AbortSignal) => AsyncIterable<StreamedEvent>

  constructor(open: (signal: AbortSignal) => AsyncIterable<StreamedEvent>) {
    this.open = open
  }
}
