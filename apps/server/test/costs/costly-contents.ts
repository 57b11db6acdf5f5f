import { Dice } from '@oxbow/testkit/seed'
import { formula, repeat } from './costly-texts.ts'

/** Bytes of a message, a little less than the limit. */
const contentBytes = 9_900

type Names = { people: readonly string[]; groups: readonly string[]; streams: readonly string[] }

/** Returns texts of about the maximum length of a message, by what is costly in them. */
export function costlyContents({ people, groups, streams }: Names): Record<string, string> {
  const join = (make: (index: number) => string) => {
    let text = ''
    for (let index = 0; ; index++) {
      const longer = text + make(index)
      if (Buffer.byteLength(longer) > contentBytes) return text
      text = longer
    }
  }
  const of = (names: readonly string[], index: number) => names[index % names.length] as string
  return {
    formulas: repeat(formula, contentBytes),
    'inline formulas': join((index) => `$$x^{${index}}$$ `),
    'mentions of people': join((index) => `@**${of(people, index)}** `),
    'mentions of groups': join((index) => `@*${of(groups, index)}* `),
    'links to streams': join((index) => `#**${of(streams, index)}** `),
    links: join((index) => `https://x.example/${index} `),
    'linkified numbers': join((index) => `#${index} `),
    'nested quotes': join((index) => `${'>'.repeat(index % 20)} rose\n`),
    'quoted blocks': join((index) => `${'`'.repeat(3 + (index % 15))}quote\nrose\n`),
    tables: `|a|b|c|d|\n|-|-|-|-|\n${join(() => '|a|b|c|d|\n').slice(0, 9_800)}`,
    emoji: repeat(':rose: ', contentBytes),
    'other emoji': repeat('🌹', contentBytes),
    code: `~~~typescript\n${repeat('const rose: Rose = { a: [1, "b", `c`] } // d\n', 9_800)}~~~`,
    'inline code': repeat('`a` ', contentBytes),
    lists: join((index) => `${' '.repeat(2 * (index % 12))}* rose\n`),
    emphasis: repeat('**a *b* ~~c~~** ', contentBytes),
    brackets: repeat('[', contentBytes),
    'open links': repeat('[a](', contentBytes),
    stars: repeat('*', contentBytes),
    backticks: join((index) => `${'`'.repeat(1 + (index % 90))} `),
    entities: repeat('&amp;<>"', contentBytes),
    controls: repeat('\u0001', contentBytes),
    words: repeat('rose ', contentBytes),
  }
}

/** Returns a text of parts of the given ones in random order. */
export function mixContents(texts: Readonly<Record<string, string>>, seed: number): string {
  const dice = new Dice(seed)
  const all = Object.values(texts)
  let mixed = ''
  for (;;) {
    const text = dice.pick(all)
    const from = Math.floor(dice.roll() * text.length)
    const longer =
      mixed + text.slice(from, from + 1 + Math.floor(dice.roll() * 400)) + dice.pick(['', ' ', '\n', '\n\n'])
    if (Buffer.byteLength(longer) > contentBytes) return mixed
    mixed = longer
  }
}
