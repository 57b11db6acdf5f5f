import type { Account } from '@oxbow/testkit'
import { type ProbedNode, startProbedNode } from '../events/bench-organization.ts'
import { type Figure, median, print, printTable } from '../figures.ts'
import { loadPosts } from '../load-posts.ts'
import { bound } from '../messages/bound.ts'
import { loadSends } from '../messages/sending/load-sends.ts'
import {
  connections,
  createSendScenario,
  type Measurement,
  measureOnce,
  type SendScenario,
  showMeasurement,
} from '../messages/sending.ts'
import { readPush } from './push.ts'

const turns = 7
const seconds = 3

const article = { featured_title: 'Roses', featured_url: 'https://en.wikipedia.org/wiki/Rose' }
/**
 * The message that the helloworld integration sends for this article, so that both variants send
 * the same text.
 */
const content = [
  'Hello! I am happy to be here! :smile:',
  'The Wikipedia featured article for today is **[Roses](https://en.wikipedia.org/wiki/Rose)**',
].join('\n')

/**
 * Compares webhook deliveries per second with messages that the same bot sends directly. Both are
 * measured in turn.
 */
export async function benchWebhooks({ profile }: { profile: boolean }): Promise<void> {
  await using scenario = await createSendScenario()
  await makeWebhookBot(scenario)
  await using node = await startProbedNode(scenario.organization)
  const send = { form: { ...scenario.form, content }, connections, seconds }
  const kinds = {
    direct: () => loadSends(node.url, scenario.sender, send),
    helloworld: deliveries(node, scenario, 'helloworld', JSON.stringify(article)),
    github: deliveries(node, scenario, 'github', await readPush(), { 'X-GitHub-Event': 'push' }),
  }
  const run = (load: () => Promise<number>) => measureOnce(scenario, node.probe, load)
  for (const load of Object.values(kinds)) await run(load)
  const found: Record<keyof typeof kinds, Measurement>[] = []
  for (let turn = 1; turn <= turns; turn++) {
    const [direct, helloworld] = [await run(kinds.direct), await run(kinds.helloworld)]
    const github = await run(kinds.github)
    found.push({ direct, helloworld, github })
    print(
      `turn ${turn}: POST /messages ${showMeasurement(direct)}; helloworld ${showMeasurement(helloworld)}; a push of GitHub ${showMeasurement(github)}`,
    )
  }
  if (profile) {
    await node.probe.startProfile()
    await run(kinds.helloworld)
    print(`Oxbow while helloworld delivers:\n${(await node.probe.stopProfile()).join('\n')}`)
  }
  print('')
  printTable(figuresOf(found))
}

function deliveries(
  node: ProbedNode,
  { sender, form }: SendScenario,
  integration: string,
  body: string,
  headers: Record<string, string> = {},
): () => Promise<number> {
  const query = new URLSearchParams({ api_key: sender.api_key, stream: String(form.to), topic: form.topic })
  const url = `${node.url}/api/v1/external/${integration}?${query}`
  const posts = { headers: { 'Content-Type': 'application/json', ...headers }, body, connections, seconds }
  return () => loadPosts(url, posts)
}

async function makeWebhookBot({ organization, sender }: SendScenario): Promise<void> {
  const { owner, session } = organization as SendScenario['organization'] & { owner: Account }
  await session.query('update user_account set bot_type = 2, bot_owner_id = $2 where id = $1', [
    sender.user_id,
    owner.user_id,
  ])
}

function figuresOf(found: readonly Record<'direct' | 'helloworld' | 'github', Measurement>[]): Figure[] {
  const rate = (kind: 'direct' | 'helloworld' | 'github') =>
    Math.round(median(found.map((each) => each[kind].rate)))
  const ratio = (kind: 'helloworld' | 'github') =>
    median(found.map((each) => each[kind].rate / each.direct.rate))
  return [
    {
      label: `deliveries of helloworld from ${connections} connections`,
      measured: `${rate('helloworld')}/s, ${ratio('helloworld').toFixed(2)} of POST /messages with the same text (${rate('direct')}/s)`,
      wanted: bound('at least 0.8', ratio('helloworld') >= 0.8),
    },
    {
      label: '    a push of GitHub',
      measured: `${rate('github')}/s, ${ratio('github').toFixed(2)}`,
    },
  ]
}
