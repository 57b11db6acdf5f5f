import type { Team } from './team.ts'

export interface Traffic {
  /** Ends the traffic and returns the number of events that it caused. */
  stop(): Promise<number>
}

const maxRunning = 40

/** Causes events at a steady rate: messages of many people in many topics, reactions, and typing. */
export function startTraffic({ others, topics, reader }: Team, perSecond: number): Traffic {
  let caused = 0
  const running = new Set<Promise<unknown>>()
  const cause = async (turn: number): Promise<void> => {
    const person = others[turn % others.length]
    const topic = topics[(turn * 7) % topics.length]
    if (!person || !topic) return
    if (turn % 4 === 3) {
      await person.typing.tell({ op: 'start', to: [reader.user_id] })
      return
    }
    const { id } = await person.messages.send({
      type: 'stream',
      to: topic.stream.name,
      topic: topic.name,
      content: `Turn ${turn}`,
    })
    if (turn % 4 === 2) await person.messages.addReaction({ message_id: id, emoji_name: 'tada' })
  }
  const timer = setInterval(() => {
    // On a machine that cannot keep up, skips events instead of building up a backlog.
    if (running.size >= maxRunning) return
    // A busy server may refuse a request; the others still cause events.
    const done: Promise<unknown> = cause(caused++)
      .catch(() => undefined)
      .finally(() => running.delete(done))
    running.add(done)
  }, 1000 / perSecond)
  return {
    async stop() {
      clearInterval(timer)
      await Promise.allSettled(running)
      return caused
    },
  }
}
