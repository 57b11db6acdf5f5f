/** One server-sent event. Without data it only moves the client's last id on. */
export interface StreamedEvent {
  id: number
  data?: string
}

/** An answer that goes on until the caller leaves. */
export class EventStream {
  readonly open: (signal: AbortSignal) => AsyncIterable<StreamedEvent>

  constructor(open: (signal: AbortSignal) => AsyncIterable<StreamedEvent>) {
    this.open = open
  }
}
