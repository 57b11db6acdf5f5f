// A realistic organization: long and short names, many topics, code, pictures, formulas and polls.
// Screens are reviewed with these conversations, because filler text would hide layout problems.

/** All people of the sample, by the names that conversations use for them. */
export const samplePeople = {
  olive: 'Olive Owner',
  iris: 'Iris Gardener',
  otto: 'Otto Gardener',
  fern: 'Fern Gardener',
  gus: 'Gus Gardener',
  rosalind: 'Rosalind Hale',
  aiko: 'Aiko Tanaka-Lindqvist',
  priya: 'Priya Raghunathan',
  tomas: 'Tomás Etxeberria',
  maximilian: 'Maximilian von und zu Hohenstein-Bergedorf',
  amal: 'أمل الحداد',
  wei: '魏小明',
} as const

export type SampleName = keyof typeof samplePeople

export interface SampleMessage {
  from: SampleName
  /** The content. `PICTURE:name` stands for an uploaded picture with that name. */
  text: string
  /** Emoji names, each with the people who reacted. */
  reactions?: Readonly<Record<string, readonly SampleName[]>>
  /** A poll with this question and these options, which is sent instead of `text`. */
  poll?: { question: string; options: readonly string[] }
}

interface SampleTopic {
  topic: string
  /** How many hours ago the last message was sent. */
  hoursAgo: number
  messages: readonly SampleMessage[]
  /** Whether the owner has read the topic. */
  read?: boolean
}

export interface SampleStream {
  name: string
  description: string
  isPrivate?: boolean
  isAnnouncement?: boolean
  color: string
  /** The members of the stream. All people by default. */
  members?: readonly SampleName[]
  topics: readonly SampleTopic[]
}

export const sampleStreams: readonly SampleStream[] = [
  {
    name: 'garden',
    description: 'Beds, tools and what grows. **Photos welcome.**',
    color: '#3a7d44',
    topics: [
      {
        topic: 'roses',
        hoursAgo: 1,
        messages: [
          {
            from: 'iris',
            text: 'Pruned the south wall today. Photos:\nPICTURE:south-wall\nPICTURE:climbing-rose',
            reactions: { thumbs_up: ['otto', 'fern', 'rosalind'], rose: ['aiko'] },
          },
          { from: 'iris', text: 'It took two hours, and the ladder is **not** safe any more.' },
          { from: 'otto', text: 'Will they flower in June?' },
          {
            from: 'rosalind',
            text: 'The *Albertine* by the gate: yes, from the first week on. The two beside the shed had black spot last year, so I would not count on them before July.',
          },
          { from: 'fern', text: '@**Olive Owner** could you order bone meal, 2 × 5 kg?' },
          {
            from: 'otto',
            text: ':tada: then we can have the summer party under them',
            reactions: { heart: ['iris', 'rosalind', 'fern', 'priya'] },
          },
        ],
      },
      {
        topic: 'compost',
        hoursAgo: 3,
        messages: [
          { from: 'tomas', text: 'The left bin is at 61 °C. Turn it tomorrow?' },
          {
            from: 'priya',
            text: 'How often each bin was turned this year:\n\n| bin | turned | warmest |\n|---|---:|---:|\n| left | 9 | 64 °C |\n| middle | 7 | 58 °C |\n| right | 2 | 31 °C |\n\nThe right one needs more green.',
          },
          {
            from: 'tomas',
            text: '> The right one needs more green.\n\nI have six bags of grass. Bringing them on Thursday.',
            reactions: { thumbs_up: ['priya'] },
          },
        ],
      },
      {
        topic: 'which trees should we plant next autumn at the north fence?',
        hoursAgo: 27,
        read: true,
        messages: [
          {
            from: 'olive',
            text: '',
            poll: {
              question: 'Along the northern fence',
              options: ['Quince', 'Medlar', 'Hornbeam hedge', 'Leave it open'],
            },
          },
          { from: 'rosalind', text: 'Medlar! Nobody has one, and the fruit keeps until February.' },
          {
            from: 'maximilian',
            text: 'A hedge would give the neighbours fewer reasons to write letters.',
            reactions: { joy: ['iris', 'otto', 'olive', 'wei'] },
          },
        ],
      },
      {
        topic: 'slugs',
        hoursAgo: 50,
        read: true,
        messages: [
          { from: 'wei', text: 'Collected 43 last night. Beer traps do work.' },
          {
            from: 'aiko',
            text: '```spoiler How I got rid of them\nDucks. Two of them, borrowed for a week.\n```',
          },
        ],
      },
    ],
  },
  {
    name: 'core team',
    description: 'Planning and money.',
    isPrivate: true,
    color: '#8c5383',
    members: ['olive', 'iris', 'priya', 'rosalind'],
    topics: [
      {
        topic: 'budget 2027',
        hoursAgo: 20,
        messages: [
          {
            from: 'priya',
            text: 'Draft: PICTURE:budget-plot\nWe are 412.50 € under last year if the greenhouse waits.',
          },
          {
            from: 'iris',
            text: '1. Greenhouse glass: **1,180 €**\n2. Seeds and bulbs: 640 €\n3. Tools\n   - two spades\n   - the ladder (see #**garden>roses**)\n4. Insurance, unchanged',
          },
          {
            from: 'rosalind',
            text: 'If prices grow by $$r$$ each year, the glass costs\n\n```math\nc_n = 1180\\,(1 + r)^n, \\qquad r \\approx 0.04\n```\n\nso waiting three years is about 147 € more.',
            reactions: { thinking: ['priya'] },
          },
        ],
      },
      {
        topic: 'new members',
        hoursAgo: 70,
        read: true,
        messages: [
          {
            from: 'olive',
            text: 'Three people asked to join after the open day. I will invite them this week.',
          },
        ],
      },
    ],
  },
  {
    name: 'website',
    description: 'The public site and the booking form',
    color: '#2f6fb0',
    members: ['olive', 'otto', 'aiko', 'wei', 'tomas', 'priya'],
    topics: [
      {
        topic: 'booking form: dates in Safari',
        hoursAgo: 2,
        messages: [
          {
            from: 'wei',
            text: 'Bookings on the last day of a month end up a day late. It is this function:',
          },
          {
            from: 'wei',
            text: '```ts\n/** Returns the last day on which a bed can be booked. */\nexport function lastDay(month: Date): Date {\n  const next = new Date(month)\n  next.setMonth(next.getMonth() + 1) // 31 January + 1 month = 3 March\n  next.setDate(0)\n  return next\n}\n```',
          },
          {
            from: 'aiko',
            text: 'Set the day to 1 **before** adding the month:\n```diff\n   const next = new Date(month)\n+  next.setDate(1)\n   next.setMonth(next.getMonth() + 1)\n```\nA test for every day of a leap year would have found it.',
            reactions: { '100': ['wei', 'otto'], eyes: ['tomas'] },
          },
          { from: 'otto', text: 'Deployed. `lastDay(new Date("2028-01-31"))` gives 2028-01-31 now.' },
          { from: 'wei', text: '/me bows' },
        ],
      },
      {
        topic: 'pictures for the front page',
        hoursAgo: 5,
        messages: [
          { from: 'tomas', text: 'Which one?\nPICTURE:meadow\nPICTURE:pond\nPICTURE:gate' },
          { from: 'aiko', text: 'The pond, without any doubt.' },
        ],
      },
    ],
  },
  {
    name: 'kitchen',
    description: 'Recipes, and who cooks on Fridays',
    color: '#c46a2b',
    topics: [
      {
        topic: 'soup of the day',
        hoursAgo: 9,
        messages: [
          { from: 'fern', text: 'Nettle and potato. There is enough for twelve :leaves:' },
          { from: 'amal', text: 'شكراً! سأحضر الخبز معي الساعة <time:2026-11-20T12:30:00+01:00>' },
          { from: 'maximilian', text: 'I shall bring the good spoons.' },
        ],
      },
      {
        topic: 'allergies',
        hoursAgo: 400,
        read: true,
        messages: [
          {
            from: 'olive',
            text: 'Please write yours here: nuts (@_**Otto Gardener**), celery (@_**Aiko Tanaka-Lindqvist**).',
          },
        ],
      },
    ],
  },
  {
    name: 'news',
    description: 'Announcements of the committee. Only administrators post here.',
    isAnnouncement: true,
    color: '#9c3a12',
    topics: [
      {
        topic: 'opening hours',
        hoursAgo: 30,
        messages: [
          {
            from: 'olive',
            text: '@**all** From 1 December the gate is closed at dusk. The code changes on the same day.',
          },
        ],
      },
    ],
  },
  {
    name: 'seeds and swaps',
    description: 'Give and take',
    color: '#6b8e23',
    topics: [
      {
        topic: 'tomatoes',
        hoursAgo: 100,
        read: true,
        messages: [
          {
            from: 'rosalind',
            text: 'I have *Black Krim*, *Green Zebra* and a nameless yellow one. Who wants some?',
          },
          { from: 'gus', text: 'Zebra, please!' },
        ],
      },
    ],
  },
  {
    name: 'beekeeping',
    description: 'Four hives behind the orchard',
    color: '#d9a300',
    topics: [
      {
        topic: 'winter feeding',
        hoursAgo: 60,
        read: true,
        messages: [{ from: 'tomas', text: 'All four are treated and fed. Weight of hive 3: 38.4 kg.' }],
      },
    ],
  },
  {
    name: 'workshop',
    description: '',
    color: '#76818e',
    topics: [
      {
        topic: 'ladder',
        hoursAgo: 80,
        read: true,
        messages: [{ from: 'iris', text: 'Do **not** use the long ladder: rung 7 is cracked.' }],
      },
    ],
  },
  {
    name: 'random',
    description: 'Everything else',
    color: '#4aa3a2',
    topics: [
      {
        topic: 'hello',
        hoursAgo: 120,
        read: true,
        messages: [
          { from: 'amal', text: 'مرحباً بالجميع' },
          { from: 'wei', text: '大家好！' },
          { from: 'gus', text: 'Hello from the far end of the allotments :wave:' },
        ],
      },
    ],
  },
]

/** Private conversations of the owner with these people, oldest message first. */
export const samplePrivate: readonly {
  with: readonly SampleName[]
  hoursAgo: number
  messages: readonly SampleMessage[]
}[] = [
  {
    with: ['iris'],
    hoursAgo: 0.3,
    messages: [
      { from: 'olive', text: 'Are you at the garden this afternoon?' },
      { from: 'iris', text: 'From three on. Can you bring the keys of the shed?' },
      { from: 'iris', text: 'And the *long* gloves, if you find them.' },
    ],
  },
  {
    with: ['otto', 'fern'],
    hoursAgo: 6,
    messages: [
      { from: 'fern', text: 'Shall we surprise Rosalind on Saturday?' },
      { from: 'otto', text: 'I can get the cake.', reactions: { cake: ['fern'] } },
      { from: 'olive', text: 'I bring candles.' },
    ],
  },
  {
    with: ['maximilian'],
    hoursAgo: 48,
    messages: [
      {
        from: 'maximilian',
        text: 'The letter from the neighbours has arrived. It is longer than the last one.',
      },
    ],
  },
]
