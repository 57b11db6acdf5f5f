import { casesOf } from './case.ts'

const mathml =
  '<span class="katex-mathml"><math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mi>x</mi></mrow><annotation encoding="application/x-tex">x</annotation></semantics></math></span>'
const letter =
  '<span class="base"><span class="strut" style="height:0.4306em;"></span><span class="mord mathnormal">x</span></span></span></span>'
const inlineX = `<span class="katex">${mathml}<span aria-hidden="true" class="katex-html">${letter}`
const displayX = `<p><span class="katex-display"><span class="katex">${mathml.replace('/MathML">', '/MathML" display="block">')}<span class="katex-html" aria-hidden="true">${letter}</span></p>`

export const mathAndTimeCases = [
  ...casesOf('Math', [
    ['inline', '$$x$$', `<p>${inlineX}</p>`],
    ['in a sentence', 'let $$x$$ be', `<p>let ${inlineX} be</p>`],
    ['in parentheses', '($$x$$)', `<p>(${inlineX})</p>`],
    ['a formula after a letter is text', 'a$$x$$', '<p>a$$x$$</p>'],
    ['a formula before a letter is text', '$$x$$a', '<p>$$x$$a</p>'],
    ['a formula between three dollar signs is text', '$$$x$$$', '<p>$$$x$$$</p>'],
    ['a formula that begins with an underscore is text', '$$_x$$', '<p>$$_x$$</p>'],
    ['not across lines', '$$x\ny$$', '<p>$$x<br>\ny$$</p>'],
    ['one dollar is text', '$5 and $6', '<p>$5 and $6</p>'],
    ['an invalid formula', '$$\\nope{$$', '<p><span class="tex-error">$$\\nope{$$</span></p>'],
    [
      'an invalid formula is escaped',
      '$$\\nope{<b>$$',
      '<p><span class="tex-error">$$\\nope{&lt;b&gt;$$</span></p>',
    ],
    ['unbalanced braces', '$$x}$$', '<p><span class="tex-error">$$x}$$</span></p>'],
    ['a display formula', '```math\nx\n```', displayX],
    ['two display formulas', '```math\nx\n\nx\n```', `${displayX}\n${displayX}`],
    ['text after a display formula', '```math\nx\n```\ny', `${displayX}\n\n<p>y</p>`],
    [
      'an invalid display formula',
      '```math\n\\nope{<b>\n```',
      '<p><span class="tex-error">\\nope{&lt;b&gt;</span></p>',
    ],
    ['not in code', '`$$x$$`', '<p><code>$$x$$</code></p>'],
    [
      'formatting in a formula stays as typed',
      '$$\\nope{**a**$$',
      '<p><span class="tex-error">$$\\nope{**a**$$</span></p>',
    ],
  ]),
  ...casesOf('Times', [
    [
      'in ISO 8601',
      '<time:2020-05-28T08:00:00Z>',
      '<p><time datetime="2020-05-28T08:00:00Z">2020-05-28T08:00:00Z</time></p>',
    ],
    [
      'with an offset',
      '<time:2020-05-28T08:00:00+02:00>',
      '<p><time datetime="2020-05-28T06:00:00Z">2020-05-28T08:00:00+02:00</time></p>',
    ],
    [
      'without a zone',
      '<time:2020-05-28 08:00>',
      '<p><time datetime="2020-05-28T08:00:00Z">2020-05-28 08:00</time></p>',
    ],
    ['a date', '<time:2020-05-28>', '<p><time datetime="2020-05-28T00:00:00Z">2020-05-28</time></p>'],
    [
      'fractions of a second',
      '<time:2020-05-28T08:00:00.25Z>',
      '<p><time datetime="2020-05-28T08:00:00.250000Z">2020-05-28T08:00:00.25Z</time></p>',
    ],
    [
      'with the name of the month',
      '<time:May 28 2020, 8:00 AM>',
      '<p><time datetime="2020-05-28T08:00:00Z">May 28 2020, 8:00 AM</time></p>',
    ],
    [
      'with the day before the month',
      '<time:28 May 2020 8pm>',
      '<p><time datetime="2020-05-28T20:00:00Z">28 May 2020 8pm</time></p>',
    ],
    [
      'with a weekday',
      '<time:Thu, 28 May 2020 08:00:00 +0200>',
      '<p><time datetime="2020-05-28T06:00:00Z">Thu, 28 May 2020 08:00:00 +0200</time></p>',
    ],
    ['a time of today', '<time:10:30>', '<p><time datetime="2020-05-15T10:30:00Z">10:30</time></p>'],
    ['a day of this month', '<time:10>', '<p><time datetime="2020-05-10T00:00:00Z">10</time></p>'],
    ['a year', '<time:2018>', '<p><time datetime="2018-05-15T00:00:00Z">2018</time></p>'],
    [
      'seconds since 1970',
      '<time:1590652800>',
      '<p><time datetime="2020-05-28T08:00:00Z">1590652800</time></p>',
    ],
    ['zero seconds since 1970', '<time:0>', '<p><time datetime="1970-01-01T00:00:00Z">0</time></p>'],
    [
      'with the name of a zone',
      '<time:May 28 2020, 2:30 PM IST>',
      '<p><time datetime="2020-05-28T09:00:00Z">May 28 2020, 2:30 PM IST</time></p>',
    ],
    [
      'in ISO 8601 with the name of a zone',
      '<time:2020-05-28 08:00 EST>',
      '<p><time datetime="2020-05-28T13:00:00Z">2020-05-28 08:00 EST</time></p>',
    ],
    [
      'in ISO 8601 with UTC',
      '<time:2020-05-28T08:00 UTC>',
      '<p><time datetime="2020-05-28T08:00:00Z">2020-05-28T08:00 UTC</time></p>',
    ],
    [
      'an invalid time',
      '<time:soon>',
      '<p><span class="timestamp-error">Invalid time format: soon</span></p>',
    ],
    [
      'a day that does not exist',
      '<time:2020-02-30>',
      '<p><span class="timestamp-error">Invalid time format: 2020-02-30</span></p>',
    ],
    [
      'an invalid time is escaped',
      '<time:a<b&>',
      '<p><span class="timestamp-error">Invalid time format: a&lt;b&amp;</span></p>',
    ],
    ['an empty time', '<time:>', '<p>&lt;time:&gt;</p>'],
    [
      'in a sentence',
      'at <time:2020-05-28>.',
      '<p>at <time datetime="2020-05-28T00:00:00Z">2020-05-28</time>.</p>',
    ],
    ['not in code', '`<time:0>`', '<p><code>&lt;time:0&gt;</code></p>'],
  ]),
]
