import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assignmentMessage } from '../src/git/assignments.ts'
import { creditAuthors } from '../src/git/authors.ts'
import { branchCreatedMessage, branchRemovedMessage, forcePushMessage } from '../src/git/branches.ts'
import { choose } from '../src/git/choose.ts'
import { commentMessage, commitCommentMessage } from '../src/git/comments.ts'
import { withoutHtmlComments } from '../src/git/html-comments.ts'
import { milestoneMessage } from '../src/git/milestones.ts'
import { changeMessage } from '../src/git/numbered.ts'
import { branches, flag } from '../src/git/options.ts'
import { type Commit, pushMessage } from '../src/git/push.ts'
import { getBranch, getTag, isNullHash, shortRef } from '../src/git/refs.ts'
import { releaseMessage } from '../src/git/releases.ts'
import { setUpMessage } from '../src/git/set-up.ts'
import { tagPushedMessage, tagRemovedMessage } from '../src/git/tags.ts'
import { branchTopic, numberedTopic, releaseTopic } from '../src/git/topics.ts'

const url = 'https://git.example.com/compare'

test('topics are put on one line', () => {
  assert.equal(branchTopic('seedbox', 'main'), 'seedbox / main')
  assert.equal(
    numberedTopic('seedbox', { type: 'MR', number: '4', title: 'Rain\n gauges' }),
    'seedbox / MR #4 Rain gauges',
  )
  assert.equal(releaseTopic('seedbox', 'v1', 'Spring'), 'seedbox / v1 Spring')
})

test('refs are recognized as branches and tags', () => {
  assert.equal(getBranch('refs/heads/feature/pond'), 'feature/pond')
  assert.equal(getBranch('refs/tags/v1'), undefined)
  assert.equal(getBranch('refs/heads/'), undefined)
  assert.equal(getTag('refs/tags/v1'), 'v1')
  assert.equal(shortRef('refs/pull/4/head'), 'refs/pull/4/head')
  assert.equal(isNullHash('0'.repeat(40)), true)
  assert.equal(isNullHash('0'.repeat(39)), false)
})

test('authors are credited unless all commits are the pusher’s own', () => {
  assert.equal(creditAuthors('iris', ['iris', 'iris']), undefined)
  assert.equal(creditAuthors('iris', []), undefined)
  assert.equal(creditAuthors('iris', ['otto']), 'Commits by otto (1).')
  assert.equal(creditAuthors('iris', ['otto', 'iris', 'otto']), 'Commits by otto (2) and iris (1).')
})

test('authors are ordered by commits and name, and the fourth and later ones are summed up', () => {
  const authors = ['e', 'd', 'd', 'c', 'b', 'a', 'a', 'a', 'e']
  assert.equal(creditAuthors('a', authors), 'Commits by a (3), d (2), e (2) and others (2).')
})

const commit = (number: number, author = 'iris'): Commit => ({
  hash: `${number}`.padStart(40, '0'),
  url: `https://git.example.com/${number}`,
  message: `Row ${number}\n\nMore.`,
  author,
})

test('a push lists the first line of each commit', () => {
  const content = pushMessage({
    actor: 'iris',
    branch: 'main',
    compareUrl: url,
    commits: [commit(1), commit(2)],
  })
  assert.equal(
    content,
    `iris [pushed](${url}) 2 commits to branch main.\n\n` +
      '* Row 1 ([0000000](https://git.example.com/1))\n* Row 2 ([0000000](https://git.example.com/2))',
  )
})

test('a push without a compare URL and a commit without a message are posted', () => {
  const content = pushMessage({ actor: 'iris', branch: 'main', commits: [{ hash: 'abcdef0123' }] })
  assert.equal(content, 'iris pushed 1 commit to branch main.\n\n* abcdef0')
  assert.equal(pushMessage({ actor: 'iris', branch: 'main', commits: [] }), 'iris pushed to branch main.')
})

test('a push lists up to twenty commits and counts the others', () => {
  const push = (commits: number, isTruncated?: boolean) =>
    pushMessage({
      actor: 'iris',
      branch: 'main',
      isTruncated,
      commits: Array.from({ length: commits }, (_, number) => commit(number)),
    })
  assert.doesNotMatch(push(20), /more/)
  assert.match(push(21), /\n\n\[and 1 more commit\]$/)
  assert.match(push(25), /\n\n\[and 5 more commits\]$/)
  assert.match(
    pushMessage({ actor: 'iris', branch: 'main', total: 50, commits: [commit(1)] }),
    /^iris pushed 50 commits .*\n\n\[and 49 more commits\]$/s,
  )
  assert.match(push(5, true), /\n\n\[and more commits\]$/)
  assert.equal(push(25).match(/^\* /gm)?.length, 20)
})

test('pushes that create, delete or force-push a branch are posted', () => {
  const actor = 'iris'
  assert.equal(branchCreatedMessage({ actor, branch: 'pond', url }), `iris created branch [pond](${url}).`)
  assert.equal(branchRemovedMessage({ actor, branch: 'pond', url }), `iris [deleted](${url}) branch pond.`)
  assert.equal(branchRemovedMessage({ actor, branch: 'pond' }), 'iris deleted branch pond.')
  assert.equal(
    forcePushMessage({ actor, branch: 'pond', url, head: 'abcdef0123' }),
    `iris [force pushed](${url}) branch pond. Head is now \`abcdef0\`.`,
  )
})

test('a tag that ends with a full stop gets no second one', () => {
  assert.equal(tagPushedMessage({ actor: 'iris', tag: 'v1' }), 'iris pushed tag v1.')
  assert.equal(tagRemovedMessage({ actor: 'iris', tag: 'v1!', url }), `iris removed tag [v1!](${url})`)
})

const item = { type: 'PR', number: '4', title: 'Rain?', url }

test('a pull request is described in one line, followed by the quoted description', () => {
  const change = { actor: 'iris', action: 'opened', item, showsTitle: false }
  assert.equal(changeMessage(change), `iris opened [PR #4](${url}).`)
  assert.equal(
    changeMessage({
      ...change,
      assignees: ['otto', 'mara'],
      branches: { head: 'rain', base: 'main' },
      description: 'Drops.<!-- Describe -->',
    }),
    `iris opened [PR #4](${url}) (assigned to otto and mara) from \`rain\` to \`main\`:\n\n` +
      '``` quote\nDrops.\n```',
  )
  assert.equal(changeMessage({ ...change, description: '<!-- Describe -->' }), `iris opened [PR #4](${url}).`)
})

test('a title that ends with a full stop gets no second one', () => {
  const change = { actor: 'iris', action: 'opened', item, showsTitle: true }
  assert.equal(changeMessage(change), `iris opened [PR #4 Rain?](${url})`)
  assert.equal(
    changeMessage({ ...change, assignees: ['otto'] }),
    `iris opened [PR #4 Rain?](${url}) (assigned to otto).`,
  )
})

test('created, edited and deleted comments have different texts', () => {
  const comment = { actor: 'iris', url, target: 'PR #4', body: 'Yes.' }
  assert.equal(commentMessage(comment), `iris [commented](${url}) on PR #4:\n\n\`\`\` quote\nYes.\n\`\`\``)
  assert.equal(
    commentMessage({ ...comment, action: 'deleted', body: undefined }),
    `iris deleted a [comment](${url}) on PR #4.`,
  )
  assert.equal(
    commitCommentMessage({ actor: 'iris', commit: { hash: 'abcdef0123', url }, body: ' ' }),
    `iris commented on [abcdef0](${url}).`,
  )
})

test('assignments and milestones name the user and the milestone if they are known', () => {
  const event = { actor: 'iris', linked: 'PR #4' }
  assert.equal(
    assignmentMessage({ ...event, action: 'assigned', assignee: 'otto' }),
    'iris assigned PR #4 to otto.',
  )
  assert.equal(
    assignmentMessage({ ...event, action: 'unassigned', assignee: 'otto' }),
    'iris unassigned otto from PR #4.',
  )
  assert.equal(assignmentMessage({ ...event, action: 'unassigned' }), 'iris unassigned PR #4.')
  assert.equal(
    milestoneMessage({ ...event, action: 'milestoned', milestone: { title: 'Spring', url } }),
    `iris added PR #4 to milestone [Spring](${url}).`,
  )
  assert.equal(milestoneMessage({ ...event, action: 'demilestoned' }), 'iris removed PR #4 from a milestone.')
})

test('releases and set-up pings are posted', () => {
  assert.equal(
    releaseMessage({ actor: 'iris', action: 'published', tag: 'v1', name: 'Spring', url }),
    `iris published release [Spring](${url}) for tag \`v1\`.`,
  )
  assert.equal(
    releaseMessage({ actor: 'iris', action: 'published', tag: 'v1' }),
    'iris published release v1 for tag `v1`.',
  )
  assert.equal(setUpMessage('GitLab'), 'The GitLab webhook is set up.')
  assert.equal(setUpMessage('GitLab', 'iris'), 'The GitLab webhook was set up by iris.')
})

test('the branches option matches exact names only', () => {
  const listed = branches.parse(' main, release/2 ,')
  assert.equal(listed.has('main'), true)
  assert.equal(listed.has('release/2'), true)
  assert.equal(listed.has('mai'), false)
  assert.equal(listed.has('release'), false)
  assert.equal(branches.parse(undefined).has('mai'), true)
  assert.equal(branches.parse(' ').has('mai'), true)
})

test('a boolean option in the URL accepts only true and false', () => {
  assert.equal(flag(true).parse(undefined), true)
  assert.equal(flag(true).parse('false'), false)
  assert.equal(flag(false).safeParse('yes').success, false)
})

test('HTML comments are removed, also unclosed ones', () => {
  assert.equal(withoutHtmlComments('a\n\n<!-- b -->\n\nc'), 'a\n\nc')
  assert.equal(withoutHtmlComments('a <!-- b'), 'a <!-- b')
  assert.equal(withoutHtmlComments('<!--'.repeat(50_000)).length, 200_000)
})

test('choose ignores inherited properties such as toString', () => {
  assert.equal(choose('added', { added: 1 }), 1)
  assert.equal(choose('toString', { added: 1 }), undefined)
})
