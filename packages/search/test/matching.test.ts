import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listContentTerms, listTopicTerms, matchMessage, parseQuery } from '@oxbow/search'
import { messageOf } from './message.ts'

type Case = [query: string, content: string, matches: boolean]

const groups: Record<string, Case[]> = {
  'finds messages that contain all words of a query, by their stems': [
    ['deploy', 'We deployed it.', true],
    ['deployed', 'Deploying now', true],
    ['deploy roses', 'We deployed it.', false],
    ['deploy now', 'now we deploy', true],
    ['serve', 'The server is down', false],
    ['Häuser', 'Die Häuser sind fertig', true],
    ['haus', 'vor den Häusern steht nichts', true],
    ['ошибки', 'Нашли ошибку', true],
    ['والكتاب', 'كتاب جديد', true],
  ],
  'ignores case, accents and the width of letters': [
    ['ROSES', 'the roses', true],
    ['cafe', 'Im Café', true],
    ['Café', 'at the cafe', true],
    ['ещё', 'еще раз', true],
    ['schön', 'Ist er schon da?', false],
    ['schon', 'Das ist schön', true],
    ['strasse', 'Die Straße', true],
    ['ｒｏｓｅ', 'a rose', true],
  ],
  'finds any part of a text in scripts without spaces': [
    ['数据', '数据库坏了', true],
    ['据库', '数据库坏了', true],
    ['数库', '数据库坏了', false],
    ['坏', '数据库坏了', true],
    ['サーバー', '新しいサーバーです', true],
    ['ｻｰﾊﾞｰ', '新しいサーバーです', true],
    ['서버', '서버가 내려갔어요', true],
    ['ประชุม', 'วันนี้มีประชุมใหญ่', true],
    ['数据 库坏', '数据库坏了', true],
    ['React组件', '这个React 的组件', true],
  ],
  'finds parts of identifiers, versions and URLs': [
    ['user', 'call getUserName() first', true],
    ['getusername', 'call getUserName() first', true],
    ['username', 'the user_name column', false],
    ['user_name', 'call getUserName() first', true],
    ['user_name', 'the user name', false],
    ['name', 'the user_name column', true],
    ['1.2', 'v1.2.3 is out', true],
    ['1.2', 'v1.22 is out', false],
    ['1.2', 'on 1-2 days', false],
    ['v1.2.3', 'v1.2.3 is out', true],
    ['report.pdf', 'see /files/2024/report.pdf', true],
    ['example.com/docs', 'https://example.com/docs/install', true],
    ['https://example.com', 'at example.com', true],
    ['install', 'https://example.com/docs/install', true],
    ['c++', 'C++ and C', true],
    ['c++', 'vitamin C', false],
    ['parse', 'HTTPServer.parseBody', true],
    ['http', 'HTTPServer.parseBody', true],
  ],
  'finds quoted phrases only as they were typed': [
    ['"south wall"', 'the south wall', true],
    ['"south wall"', 'the wall to the south', false],
    ['"outh wal"', 'the south wall', false],
    ['"100%"', 'it is 100% done', true],
    ['"100%"', 'it is 100 done', false],
    ['"South Wall" roses', 'roses by the south wall', true],
  ],
  'ignores stop words unless a query has no other words': [
    ['the roses', 'some roses', true],
    ['the', 'the wall', true],
    ['the', 'a wall', false],
    ['it', 'it is', true],
    ['!!', 'what!!', false],
    ['""', 'what', false],
  ],
  'finds visible text but no markup': [
    ['strong', '**roses**', false],
    ['roses', '**ro**ses', true],
    ['href', 'https://example.com', false],
    ['octopus', ':octopus:', true],
    ['quot', 'a "b"', false],
    ['b&c', 'a b&c', true],
  ],
}

for (const [behaviour, cases] of Object.entries(groups)) {
  test(`a search for words ${behaviour}`, () => {
    for (const [query, content, matches] of cases) {
      const found = matchMessage(parseQuery(query), messageOf(content)) !== undefined
      assert.equal(found, matches, `${query} in ${content}`)
    }
  })
}

test('a message is compared with long queries in little processor time', () => {
  const cases: [query: string, content: string][] = [
    ['a.'.repeat(5_000), 'a.'.repeat(5_000)],
    [`${'Aa'.repeat(16)}.`.repeat(300), `${'Aa'.repeat(16)}.`.repeat(300)],
    ['"a" '.repeat(2_500), `${'\u00e9 '.repeat(3_000)}a`],
  ]
  const searches = cases.map(([query, content]) => ({
    query: parseQuery(query),
    message: messageOf(content),
  }))
  const began = process.threadCpuUsage()
  for (const { query, message } of searches) assert.ok(matchMessage(query, message))
  assert.ok(process.threadCpuUsage(began).user < 800_000)
})

test('the words and phrases at the end of a very long query are ignored', () => {
  const words = Array.from({ length: 39 }, (_, index) => 'r'.repeat(index + 2)).join(' ')
  assert.ok(matchMessage(parseQuery(`${words} wall frost`), messageOf(`${words} wall`)))
  assert.equal(matchMessage(parseQuery(`${words} wall`), messageOf(words)), undefined)
  const nameOf = (length: number) => Array(length).fill('rose').join('.')
  assert.ok(matchMessage(parseQuery(`${nameOf(50)} frost`), messageOf(nameOf(50))))
  assert.equal(matchMessage(parseQuery(`${nameOf(49)} frost`), messageOf(nameOf(49))), undefined)
  const phrases = Array.from({ length: 40 }, (_, index) => `"rose ${index}"`).join(' ')
  assert.ok(matchMessage(parseQuery(`rose ${phrases} "frost"`), messageOf(`${phrases} rose`)))
})

test('words of a query may be spread over topic and content', () => {
  const message = messageOf('The frost comes.', 'south wall')
  assert.ok(matchMessage(parseQuery('wall frost'), message))
  assert.ok(matchMessage(parseQuery('"south wall"'), message))
  assert.equal(matchMessage(parseQuery('wall rain'), message), undefined)
})

test('every matching message has the required index terms', () => {
  for (const [query, content, matches] of Object.values(groups).flat()) {
    if (!matches) continue
    const { topic, rendered_content } = messageOf(content)
    const words = new Set([...listContentTerms(rendered_content), ...listTopicTerms(topic)])
    for (const need of parseQuery(query).needs)
      assert.ok(
        need.some((word) => words.has(word)),
        `${query} in ${content}`,
      )
  }
})

test('the index terms of words never change', () => {
  assert.deepEqual(
    listContentTerms('<p>Roses 玫瑰</p>').sort((a, b) => a - b),
    pinned,
  )
})

const pinned = [-2095017634, -230976260, 930683673, 1224493760, 1446331349]
