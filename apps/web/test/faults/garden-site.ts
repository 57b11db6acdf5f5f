import type { MadeStream, Person } from '@oxbow/testkit'
import type { BrowserContext } from 'playwright-core'
import { type ClientSite, signInAt, startClientSite } from '../open-client.ts'
import type { ShownTopic } from './watched-page.ts'

/** A site with two people: Iris uses the client in a browser, and Otto sends messages by the API. */
export interface GardenSite {
  site: ClientSite
  iris: Person
  otto: Person
  garden: MadeStream
  /** The topic that pages show. */
  roses: ShownTopic
  /** The URL fragment of that topic. */
  hash: string
  /** Sends a message from Otto to the topic that pages show. */
  send(content: string): Promise<{ id: number }>
  /** Sends a message from Otto to a stream that pages show only in the nav. */
  sendGrass(content: string): Promise<{ id: number }>
  /** Opens a browser in which Iris is signed in. */
  openBrowser(): Promise<BrowserContext>
}

export async function startGardenSite(): Promise<GardenSite> {
  const site = await startClientSite()
  const { world } = site
  const [iris, otto] = [await world.person('iris'), await world.person('otto')]
  const garden = await world.stream('garden', { members: [iris, otto] })
  const meadow = await world.stream('meadow', { members: [iris, otto] })
  const roses: ShownTopic = {
    stream: garden,
    topic: 'roses',
    async listStored() {
      const rows = await world.database.query<{ id: number }>(
        "select id::int from message where organization_id = $1 and folded_topic = 'roses' order by id",
        [world.organization_id],
      )
      return rows.map(({ id }) => id)
    },
  }
  const send = (content: string) =>
    otto.messages.send({ type: 'stream', to: garden.name, topic: 'roses', content })
  await send('The first one')
  return {
    site,
    iris,
    otto,
    garden,
    roses,
    hash: `#narrow/stream/${garden.stream_id}-garden/topic/roses`,
    send,
    sendGrass: (content) => otto.messages.send({ type: 'stream', to: meadow.name, topic: 'grass', content }),
    async openBrowser() {
      // A topic opens at its first unread message, and tests expect it to open at its end.
      await iris.messages.markStreamRead({ stream_id: garden.stream_id })
      const context = await site.newContext()
      // Cookies are valid for all ports of a host.
      await signInAt(world.nodes.a.url, context, iris)
      return context
    },
  }
}
