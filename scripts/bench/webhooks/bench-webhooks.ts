import type { Account } from '@oxbow/testkit'
import { type ProbedNode, startProbedNode } from '../events/garden.ts'
import { type Figure, median, say, sayTable } from '../figures.ts'
import { loadPosts } from '../load-posts.ts'
import { bound } from '../messages/bound.ts'
import { loadSends } from '../messages/sending/load-sends.ts'
import { connections, type Field, plantField, showTurn, type Turn, takeTurn } from '../messages/sending.ts'
import { readPush } from './push.ts'

const turns = 7
const seconds = 3

const article = { featured_title: 'Roses', featured_url: 'https://en.wikipedia.org/wiki/Rose' }
/** What helloworld makes of it, so that both ways say the same. */
const content = [
  'Hello! I am happy to be here! :smile:',
  'The Wikipedia featured article for today is **[Roses](https://en.wikipedia.org/wiki/Rose)**',
].join('\n')

/** Deliveries of services in a second beside messages that the same bot sends itself, over as many connections, in turns. */
export async function benchWebhooks({ profile }: { profile: boolean }): Promise<void> {
  await using field = await plantField()
  await makeWebhookBot(field)
  await using node = await startProbedNode(field.village)
  const send = { form: { ...field.form, content }, connections, seconds }
  const kinds = {
    direct: () => loadSends(node.url, field.sender, send),
    helloworld: deliveries(node, field, 'helloworld', JSON.stringify(article)),
    github: deliveries(node, field, 'github', await readPush(), { 'X-GitHub-Event': 'push' }),
  }
  const run = (load: () => Promise<number>) => takeTurn(field, node.probe, load)
  for (const load of Object.values(kinds)) await run(load)
  const found: Record<keyof typeof kinds, Turn>[] = []
  for (let turn = 1; turn <= turns; turn++) {
    const [direct, helloworld] = [await run(kinds.direct), await run(kinds.helloworld)]
    const github = await run(kinds.github)
    found.push({ direct, helloworld, github })
    say(
      `turn ${turn}: POST /messages ${showTurn(direct)}; helloworld ${showTurn(helloworld)}; a push of GitHub ${showTurn(github)}`,
    )
  }
  if (profile) {
    await node.probe.startProfile()
    await run(kinds.helloworld)
    say(`Oxbow while helloworld delivers:\n${(await node.probe.stopProfile()).join('\n')}`)
  }
  say('')
  sayTable(figuresOf(found))
}

function deliveries(
  node: ProbedNode,
  { sender, form }: Field,
  integration: string,
  body: string,
  headers: Record<string, string> = {},
): () => Promise<number> {
  const query = new URLSearchParams({ api_key: sender.api_key, stream: String(form.to), topic: form.topic })
  const url = `${node.url}/api/v1/external/${integration}?${query}`
  const posts = { headers: { 'Content-Type': 'application/json', ...headers }, body, connections, seconds }
  return () => loadPosts(url, posts)
}

async function makeWebhookBot({ village, sender }: Field): Promise<void> {
  const { owner, session } = village as Field['village'] & { owner: Account }
  await session.query('update user_account set bot_type = 2, bot_owner_id = $2 where id = $1', [
    sender.user_id,
    owner.user_id,
  ])
}

function figuresOf(found: readonly Record<'direct' | 'helloworld' | 'github', Turn>[]): Figure[] {
  const rate = (kind: 'direct' | 'helloworld' | 'github') =>
    Math.round(median(found.map((each) => each[kind].rate)))
  const ratio = (kind: 'helloworld' | 'github') =>
    median(found.map((each) => each[kind].rate / each.direct.rate))
  return [
    {
      what: `deliveries of helloworld from ${connections} connections`,
      measured: `${rate('helloworld')}/s, ${ratio('helloworld').toFixed(2)} of POST /messages with the same text (${rate('direct')}/s)`,
      wanted: bound('at least 0.8', ratio('helloworld') >= 0.8),
    },
    {
      what: '    a push of GitHub',
      measured: `${rate('github')}/s, ${ratio('github').toFixed(2)}`,
    },
  ]
}
