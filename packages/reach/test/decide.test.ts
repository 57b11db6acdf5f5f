import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DecisionInput, decide, ruleIds } from '../src/index.ts'
import { generateInput, noon } from './generate-input.ts'
import { decideNaively } from './naive-model.ts'

const on = { screen: true, sound: true, push: true, mail: true }
const off = { screen: false, sound: false, push: false, mail: false }

/** A plain stream message for a reader with the default settings, who is away and has a device. */
const usual: DecisionInput = {
  message: { senderId: 2, sentAt: noon, isPrivate: false, isDeleted: false, isSilent: false },
  mentions: { byName: false, everyone: false, alertWord: false },
  reader: {
    id: 1,
    isBot: false,
    isActive: true,
    hasAccess: true,
    isUnread: true,
    settings: {
      direct: on,
      streams: off,
      followedTopics: on,
      wildcards: true,
      followedWildcards: true,
      alertWordPush: true,
      alertWordMail: false,
      pushWhileActive: true,
      mailDelayMs: 120_000,
    },
    isStreamMuted: false,
    topicPolicy: 'inherit',
    hasMutedSender: false,
    hasMutedAllOthers: false,
    breakThrough: new Set(),
    address: 'ok',
    pushDevices: 1,
  },
  where: { mailWorks: true, pushWorks: true, subscribers: 10, crowdLimit: 1_000 },
  now: { at: noon, isPresenceHidden: false },
  earlier: { pushesInTenMinutes: 0, unansweredMails: 0, mailsInHour: 0, mailsInDay: 0 },
}

/** Returns the usual input with some parts changed. */
const withParts = (parts: { [Part in keyof DecisionInput]?: Partial<DecisionInput[Part]> }): DecisionInput =>
  Object.fromEntries(
    Object.entries(usual).map(([part, value]) => [part, { ...value, ...parts[part as keyof DecisionInput] }]),
  ) as unknown as DecisionInput

test('decide agrees with a naive model over generated inputs, which reach every rule', () => {
  const reached = new Set<string>()
  for (let count = 0; count < 10_000; count++) {
    const input = generateInput()
    const decision = decide(input)
    assert.deepEqual(decision, decideNaively(input), JSON.stringify(input))
    const { screen, sound, push, mail } = decision
    for (const verdict of [screen, sound, push, mail]) reached.add(verdict.rule)
  }
  assert.deepEqual(
    ruleIds.filter((rule) => !reached.has(rule)),
    [],
  )
})

test('a private message to a user who is away is shown, pushed after 2 seconds and mailed after 2 minutes', () => {
  assert.deepEqual(decide(withParts({ message: { isPrivate: true } })), {
    reasons: ['R1'],
    screen: { outcome: 'now', rule: 'R1', reason: 'R1' },
    sound: { outcome: 'now', rule: 'R1', reason: 'R1' },
    push: { outcome: 'at', at: noon + 2_000, rule: 'T1', reason: 'R1' },
    mail: { outcome: 'at', at: noon + 120_000, rule: 'T8', reason: 'R1' },
  })
})

test('a message that is read before its push or mail is due causes neither', () => {
  const later = { at: noon + 300_000 }
  const unread = decide(withParts({ mentions: { byName: true }, now: later }))
  assert.deepEqual([unread.push.outcome, unread.mail.outcome], ['now', 'now'])
  const read = decide(withParts({ mentions: { byName: true }, now: later, reader: { isUnread: false } }))
  assert.deepEqual([read.push, read.mail], Array(2).fill({ outcome: 'never', rule: 'S5' }))
})

test('a user who closes the laptop one second after a message is reached once they count as away', () => {
  const lastActiveAt = noon + 1_000
  const active = withParts({
    mentions: { byName: true },
    reader: { settings: { ...usual.reader.settings, pushWhileActive: false } },
    now: { at: noon + 121_000, lastActiveAt },
  })
  assert.deepEqual(decide(active).push, { outcome: 'at', at: noon + 141_000, rule: 'T3', reason: 'R2' })
  assert.equal(decide(active).mail.rule, 'T10')
  const away = decide({ ...active, now: { ...active.now, at: noon + 141_000 } })
  assert.deepEqual([away.push.outcome, away.mail.outcome], ['now', 'now'])
})

test('a mention by name ignores a muted topic and stream, and no other reason does', () => {
  const muted = { topicPolicy: 'muted', isStreamMuted: true } as const
  assert.equal(decide(withParts({ mentions: { byName: true }, reader: muted })).screen.outcome, 'now')
  for (const mentions of [{ everyone: true }, { alertWord: true }])
    assert.deepEqual(decide(withParts({ mentions, reader: muted })).screen, { outcome: 'never', rule: 'P1' })
})

test('a followed topic notifies of every message, also in a muted stream', () => {
  const { screen, mail } = decide(withParts({ reader: { topicPolicy: 'followed', isStreamMuted: true } }))
  assert.deepEqual([screen.outcome, mail.outcome], ['now', 'at'])
  assert.equal(decide(withParts({ reader: { isStreamMuted: true } })).screen.rule, 'P2')
})

test('a mention of a crowd is pushed and never mailed by itself', () => {
  const crowd = decide(withParts({ mentions: { everyone: true }, where: { subscribers: 100_000 } }))
  assert.deepEqual(crowd.reasons, ['R7', 'R9'])
  assert.deepEqual([crowd.push.outcome, crowd.mail], ['at', { outcome: 'never', rule: 'R7' }])
})

test('quiet hours delay push, silence sounds and leave mail, except for chosen people', () => {
  const quietUntil = noon + 3_600_000
  const quiet = decide(withParts({ mentions: { byName: true }, reader: { quietUntil } }))
  assert.deepEqual(quiet.push, { outcome: 'at', at: quietUntil, rule: 'T4', reason: 'R2' })
  assert.deepEqual(quiet.sound, { outcome: 'never', rule: 'T4' })
  assert.deepEqual([quiet.screen.outcome, quiet.mail.rule], ['now', 'T8'])
  const chosen = decide(
    withParts({ mentions: { byName: true }, reader: { quietUntil, breakThrough: new Set([2]) } }),
  )
  assert.deepEqual([chosen.push.rule, chosen.sound.outcome], ['T1', 'now'])
})

test('later messages join the mail of the first and do not postpone it', () => {
  const { mail } = decide(
    withParts({ message: { isPrivate: true }, earlier: { gatheringSince: noon - 100_000 } }),
  )
  assert.deepEqual(mail, { outcome: 'at', at: noon + 20_000, rule: 'T8', reason: 'R1' })
})
