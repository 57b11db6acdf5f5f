/** All languages that can be highlighted: the names of their modules in highlight.js, with aliases. */
const names: { readonly [language: string]: string } = {
  bash: 'sh zsh',
  c: 'h',
  clojure: 'clj',
  cmake: '',
  cpp: 'c++ cc hpp cxx',
  csharp: 'c# cs',
  css: '',
  dart: '',
  diff: 'patch udiff',
  dockerfile: 'docker',
  elixir: 'ex exs',
  erlang: 'erl',
  fsharp: 'f# fs',
  go: 'golang',
  graphql: 'gql',
  groovy: '',
  haskell: 'hs',
  http: '',
  ini: 'toml cfg dosini',
  java: '',
  javascript: 'js jsx mjs cjs node',
  json: 'jsonc json5',
  julia: 'jl',
  kotlin: 'kt kts',
  latex: 'tex',
  less: '',
  lisp: 'common-lisp cl elisp',
  lua: '',
  makefile: 'make mk',
  markdown: 'md',
  matlab: '',
  nginx: '',
  nix: '',
  objectivec: 'objc objective-c obj-c mm',
  ocaml: 'ml',
  perl: 'pl pm',
  php: '',
  powershell: 'ps1 posh pwsh',
  protobuf: 'proto',
  python: 'py python3 py3 gyp',
  'python-repl': 'pycon',
  r: '',
  ruby: 'rb',
  rust: 'rs',
  scala: '',
  scheme: 'scm',
  scss: 'sass',
  shell: 'console shell-session',
  // The PostgreSQL grammar of highlight.js takes seconds for a line of dollar signs.
  sql: 'mysql sqlite pgsql postgres postgresql plpgsql',
  swift: '',
  typescript: 'ts tsx mts cts',
  vbnet: 'vb vb.net',
  vim: 'viml',
  x86asm: 'asm nasm',
  xml: 'html xhtml svg rss atom xsl',
  yaml: 'yml',
}

const languages = new Map<string, string>()
for (const [language, others] of Object.entries(names)) {
  for (const name of [language, ...others.split(' ')]) languages.set(name, language)
}

/** Returns the highlight.js module for the language name that an author wrote after a fence. */
export function findLanguage(name: string): string | undefined {
  return name === '' ? undefined : languages.get(name.toLowerCase())
}

export function listLanguages(): string[] {
  return Object.keys(names)
}
