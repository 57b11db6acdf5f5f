import { casesOf } from './case.ts'

const open = '<div class="codehilite"><pre><span></span><code>'
const close = '\n</code></pre></div>'

export const codeCases = [
  ...casesOf('Code blocks', [
    ['a fence', '```\na = 1\n```', `${open}a = 1${close}`],
    ['a fence of tildes', '~~~\na = 1\n~~~', `${open}a = 1${close}`],
    ['a longer fence', '````\n```\n````', `${open}\`\`\`${close}`],
    ['a fence that is not closed', '```\na\nb', `${open}a\nb${close}`],
    ['spaces after the closing fence', '```\na\n```   \nb', `${open}a${close}\n\n\n<p>b</p>`],
    ['only a fence of the same length closes the block', '```\na\n````\n```', `${open}a\n\`\`\`\`${close}`],
    ['an empty block', '```\n```', `${open}${close}`],
    [
      'three line breaks before the next block in the HTML',
      '```\na\n```\nb',
      `${open}a${close}\n\n\n<p>b</p>`,
    ],
    ['one line break after the previous block in the HTML', 'b\n```\na\n```', `<p>b</p>\n${open}a${close}`],
    ['two blocks', '```\na\n```\n```\nb\n```', `${open}a${close}\n\n\n${open}b${close}`],
    ['blank lines at the edges are dropped', '```\n\n\na\n\n\n```', `${open}a${close}`],
    ['blank lines inside stay', '```\na\n\nb\n```', `${open}a\n\nb${close}`],
    ['spaces at line ends are dropped', '```\na  \nb\n```', `${open}a\nb${close}`],
    ['spaces at line starts stay', '```\n  a\n    b\n```', `${open}  a\n    b${close}`],
    ['formatting is text', '```\n**a** :smile:\n```', `${open}**a** :smile:${close}`],
    ['a mention is text', '```\n@**Iris Moor**\n```', `${open}@**Iris Moor**${close}`],
    [
      'all five HTML special characters are escaped',
      `\`\`\`\n<a href="x" id='y'>&\n\`\`\``,
      `${open}&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;${close}`,
    ],
    ['an entity is text', '```\n&copy;\n```', `${open}&amp;copy;${close}`],
    ['tabs expand to multiples of four columns', '```\n\ta\n```', `${open}    a${close}`],
    ['a line indented by four spaces', '    a = 1', `${open}a = 1${close}`],
    ['a line indented by a tab', '\ta = 1', `${open}a = 1${close}`],
    ['indented code continues across blank lines', '    a\n\n    b', `${open}a\n\nb${close}`],
    ['indentation beyond four spaces is kept', '    a\n      b', `${open}a\n  b${close}`],
    ['indented code ends at unindented text', '    a\nb', `${open}a${close}\n\n\n<p>b</p>`],
    ['four spaces inside a paragraph are text', 'a\n    b', '<p>a<br>\n    b</p>'],
    ['three spaces are text', '   a', '<p>a</p>'],
    ['an indented fence does not open a code block', ' ```\na\n```', `<p>\`\`\`<br>\na</p>\n${open}${close}`],
    ['a fence with a backtick in its line is inline code', '```a```', '<p><code>a</code></p>'],
    [
      'a fence in a quote is inline code',
      '> ```\n> a\n> ```',
      '<blockquote>\n<p><code>\na\n</code></p>\n</blockquote>',
    ],
    ['a fence ends a list', '* a\n```\nb\n```', `<ul>\n<li>a</li>\n</ul>\n${open}b${close}`],
    ['a fence ends a quote', '> a\n```\nb\n```', `<blockquote>\n<p>a</p>\n</blockquote>\n${open}b${close}`],
  ]),
  ...casesOf('Code with a language', [
    [
      'python',
      '```python\ndef speak(self):\n```',
      `${open}<span class="k">def</span> <span class="nf">speak</span><span class="p">(</span><span class="bp">self</span><span class="p">):</span>${close}`,
    ],
    [
      'an alias of python',
      '```py\nreturn 1\n```',
      `${open}<span class="k">return</span> <span class="mi">1</span>${close}`,
    ],
    [
      'a language in capitals',
      '```Python\nreturn 1\n```',
      `${open}<span class="k">return</span> <span class="mi">1</span>${close}`,
    ],
    [
      'a language after spaces',
      '```   python\nreturn 1\n```',
      `${open}<span class="k">return</span> <span class="mi">1</span>${close}`,
    ],
    [
      'a language in braces',
      '``` {.python}\nreturn 1\n```',
      `${open}<span class="k">return</span> <span class="mi">1</span>${close}`,
    ],
    [
      'text after the language',
      '```python title\nreturn 1\n```',
      `${open}<span class="k">return</span> <span class="mi">1</span>${close}`,
    ],
    [
      'javascript',
      '```js\nlet a = "b"\n```',
      `${open}<span class="kd">let</span> <span class="nx">a</span> <span class="o">=</span> <span class="s2">&quot;b&quot;</span>${close}`,
    ],
    ['a comment', '```python\n# hi\n```', `${open}<span class="c1"># hi</span>${close}`],
    ['an unknown language', '```klingon\nqapla = 1\n```', `${open}qapla = 1${close}`],
    ['the language text is not highlighted', '```text\nreturn 1\n```', `${open}return 1${close}`],
    ['tex is code', '```tex\nx\n```', `${open}x${close}`],
    [
      'the default language of the organization',
      '```\nreturn 1\n```',
      `${open}<span class="k">return</span> <span class="mi">1</span>${close}`,
      { defaultCodeLanguage: 'python' },
    ],
    [
      'no default for indented code',
      '    return 1',
      `${open}return 1${close}`,
      { defaultCodeLanguage: 'python' },
    ],
    [
      'none opts out of the default',
      '```none\nreturn 1\n```',
      `${open}return 1${close}`,
      { defaultCodeLanguage: 'python' },
    ],
    [
      'text opts out of the default',
      '```text\nreturn 1\n```',
      `${open}return 1${close}`,
      { defaultCodeLanguage: 'python' },
    ],
    [
      'a first line with three colons that names the language',
      '    :::python\n    return 1',
      `${open}<span class="k">return</span> <span class="mi">1</span>${close}`,
    ],
    [
      'a shebang line that names the language',
      '```\n#!python\nreturn 1\n```',
      `${open}<span class="k">return</span> <span class="mi">1</span>${close}`,
    ],
    [
      'a shebang line with a path is kept as code',
      '```\n#!/usr/bin/python\nreturn 1\n```',
      `${open}<span class="c1">#!/usr/bin/python</span>\n<span class="k">return</span> <span class="mi">1</span>${close}`,
    ],
  ]),
]
