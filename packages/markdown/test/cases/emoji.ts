import { casesOf } from './case.ts'

function emoji(name: string, code: string, spoken = name): string {
  return `<span aria-label="${spoken}" class="emoji emoji-${code}" role="img" title="${spoken}">:${name}:</span>`
}

const sprout = '<img alt=":sprout:" class="emoji" src="/user_avatars/2/emoji/images/1.png" title="sprout">'

export const emojiCases = [
  ...casesOf('Emoji', [
    ['by name', ':smile:', `<p>${emoji('smile', '263a')}</p>`],
    ['by its Unicode character', '☺', `<p>${emoji('smile', '263a')}</p>`],
    ['an alias is shown as typed', ':relaxed:', `<p>${emoji('relaxed', '263a')}</p>`],
    ['underscores become spaces', ':big_smile:', `<p>${emoji('big_smile', '1f604', 'big smile')}</p>`],
    ['plus one', ':+1:', `<p>${emoji('+1', '1f44d')}</p>`],
    ['minus one', ':-1:', `<p>${emoji('-1', '1f44e')}</p>`],
    ['an alias of plus one', ':thumbs_up:', `<p>${emoji('thumbs_up', '1f44d', 'thumbs up')}</p>`],
    ['a character is shown with its canonical name', '👍', `<p>${emoji('+1', '1f44d')}</p>`],
    ['an animal', ':cat:', `<p>${emoji('cat', '1f408')}</p>`],
    ['another animal', ':dog:', `<p>${emoji('dog', '1f415')}</p>`],
    ['no word boundaries are needed', 'x:cat:y', `<p>x${emoji('cat', '1f408')}y</p>`],
    ['one after the other', ':cat::dog:', `<p>${emoji('cat', '1f408')}${emoji('dog', '1f415')}</p>`],
    ['a keycap by name', ':hash:', `<p>${emoji('hash', '0023-20e3')}</p>`],
    ['an unknown name', ':notanemoji:', '<p>:notanemoji:</p>'],
    [
      'a name directly after an unknown name',
      ':notanemoji:cat:',
      `<p>:notanemoji${emoji('cat', '1f408')}</p>`,
    ],
    ['times are text', '10:30:45', '<p>10:30:45</p>'],
    ['a check mark', ':check:', `<p>${emoji('check', '2705')}</p>`],
    ['a name that is a number', ':100:', `<p>${emoji('100', '1f4af')}</p>`],
    ['in bold', '**:tada:**', `<p><strong>${emoji('tada', '1f389')}</strong></p>`],
    ['a skin tone stays text', '👋🏽', `<p>${emoji('wave', '1f44b')}🏽</p>`],
    ['a variation selector stays text', '❤\u{fe0f}', `<p>${emoji('heart', '2764')}\u{fe0f}</p>`],
    ['a country flag stays text', '🇳🇴', '<p>🇳🇴</p>'],
    ['a typed keycap stays text', '#\u{fe0f}\u{20e3}', '<p>#\u{fe0f}\u{20e3}</p>'],
    ['the trade mark sign stays text', '™', '<p>™</p>'],
    [
      'a joined sequence is split into its emoji',
      '👩\u{200d}💻',
      `<p>${emoji('woman', '1f469')}\u{200d}${emoji('computer', '1f4bb')}</p>`,
    ],
  ]),
  ...casesOf('Custom emoji', [
    ['by name', ':sprout:', `<p>${sprout}</p>`],
    ['in a sentence', 'so :sprout: so', `<p>so ${sprout} so</p>`],
    [
      'underscores become spaces',
      ':green_leaf:',
      '<p><img alt=":green_leaf:" class="emoji" src="/user_avatars/2/emoji/images/2.png" title="green leaf"></p>',
    ],
    [
      'a custom emoji overrides a Unicode emoji of the same name',
      ':rocket:',
      '<p><img alt=":rocket:" class="emoji" src="/user_avatars/2/emoji/images/3.png" title="rocket"></p>',
    ],
    [
      'the emoji that comes with the server',
      ':chat:',
      '<p><img alt=":chat:" class="emoji" src="/static/generated/emoji/images/emoji/unicode/chat.png" title="chat"></p>',
    ],
  ]),
  ...casesOf('Emoticons', [
    ['off by default', ':)', '<p>:)</p>'],
    [
      'a smile',
      ':)',
      `<p>${emoji('slight_smile', '1f642', 'slight smile')}</p>`,
      { translateEmoticons: true },
    ],
    [
      'a reversed smile',
      '(:',
      `<p>${emoji('slight_smile', '1f642', 'slight smile')}</p>`,
      { translateEmoticons: true },
    ],
    ['a frown', ':(', `<p>${emoji('frown', '1f641')}</p>`, { translateEmoticons: true }],
    ['a heart', '<3', `<p>${emoji('heart', '2764')}</p>`, { translateEmoticons: true }],
    ['neutral', ':|', `<p>${emoji('neutral', '1f610')}</p>`, { translateEmoticons: true }],
    ['confused', ':/', `<p>${emoji('confused', '1f615')}</p>`, { translateEmoticons: true }],
    ['a wink', ';)', `<p>${emoji('wink', '1f609')}</p>`, { translateEmoticons: true }],
    ['a grin', ':D', `<p>${emoji('grinning', '1f600')}</p>`, { translateEmoticons: true }],
    ['surprise', ':O', `<p>${emoji('open_mouth', '1f62e', 'open mouth')}</p>`, { translateEmoticons: true }],
    [
      'a tongue',
      ':p',
      `<p>${emoji('stuck_out_tongue', '1f61d', 'stuck out tongue')}</p>`,
      { translateEmoticons: true },
    ],
    ['not inside a word', 'a:)b', '<p>a:)b</p>', { translateEmoticons: true }],
    [
      'in a sentence',
      'hi :), you',
      `<p>hi ${emoji('slight_smile', '1f642', 'slight smile')}, you</p>`,
      { translateEmoticons: true },
    ],
    [
      'not in a URL',
      'http://x.example/',
      '<p><a href="http://x.example/">http://x.example/</a></p>',
      { translateEmoticons: true },
    ],
    ['not in code', '`:)`', '<p><code>:)</code></p>', { translateEmoticons: true }],
  ]),
]
