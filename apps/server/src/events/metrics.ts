import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

export interface EventMetrics {
  readonly sequencer: Gauge
  readonly batchSize: Histogram
  readonly outboxDepth: Gauge
  readonly outboxAge: Gauge
  readonly deliveryLag: Histogram
  readonly messageDelivery: Histogram
  readonly catchUps: Counter
  readonly polls: Gauge
  readonly queues: Gauge
  readonly oldestPoll: Gauge
  readonly logBytes: Gauge
  readonly logLimit: Gauge
}

export function makeEventMetrics(registry: Registry): EventMetrics {
  const registers = [registry]
  return {
    sequencer: new Gauge({
      name: 'oxbow_events_sequencer',
      help: '1 on the node that numbers events.',
      registers,
    }),
    batchSize: new Histogram({
      name: 'oxbow_events_batch_records',
      help: 'Outbox rows that one pass of the sequencer took.',
      buckets: [1, 3, 10, 30, 100, 300, 1000, 2000],
      registers,
    }),
    outboxDepth: new Gauge({
      name: 'oxbow_events_outbox_ids',
      help: 'Ids from the oldest row in the outbox to the newest that was given out; 0 when it is empty.',
      registers,
    }),
    outboxAge: new Gauge({
      name: 'oxbow_events_outbox_age_seconds',
      help: 'How long this node has seen the oldest row in the outbox stand still.',
      registers,
    }),
    deliveryLag: new Histogram({
      name: 'oxbow_events_delivery_lag_seconds',
      help: 'From a commit on this node to the arrival of its batch.',
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers,
    }),
    messageDelivery: new Histogram({
      name: 'oxbow_message_delivery_seconds',
      help: 'From the moment a node begins to send a message to the answer of a waiting client of this node.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    catchUps: new Counter({
      name: 'oxbow_events_catch_ups_total',
      help: 'Times this node read batches from PostgreSQL.',
      registers,
    }),
    polls: new Gauge({
      name: 'oxbow_events_polls',
      help: 'Polls and streams that wait on this node.',
      registers,
    }),
    queues: new Gauge({
      name: 'oxbow_events_queues',
      help: 'Event queues that this node has in memory.',
      registers,
    }),
    oldestPoll: new Gauge({
      name: 'oxbow_events_oldest_poll_seconds',
      help: 'Time since the last poll of the queue in memory that was not polled for longest.',
      registers,
    }),
    logBytes: new Gauge({
      name: 'oxbow_events_log_bytes',
      help: 'Size of the event log in the database, on the node that numbers events; 0 on others.',
      registers,
    }),
    logLimit: new Gauge({
      name: 'oxbow_events_log_limit_bytes',
      help: 'Size of the event log beyond which its oldest events are dropped (events_log_limit_mb).',
      registers,
    }),
  }
}
