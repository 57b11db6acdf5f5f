/**
 * Maps highlight.js scopes to Pygments' short class names, which existing style sheets for code
 * blocks use.
 */
const classes: { readonly [scope: string]: string } = {
  addition: 'gi',
  attr: 'na',
  attribute: 'na',
  built_in: 'nb',
  'char.escape': 'se',
  comment: 'c1',
  deletion: 'gd',
  doctag: 'cs',
  emphasis: 'ge',
  formula: 's',
  keyword: 'k',
  link: 's',
  literal: 'kc',
  meta: 'cp',
  'meta.prompt': 'gp',
  name: 'nt',
  operator: 'o',
  property: 'n',
  punctuation: 'p',
  quote: 'c1',
  regexp: 'sr',
  section: 'gh',
  'selector-attr': 'nv',
  'selector-class': 'nc',
  'selector-id': 'nn',
  'selector-pseudo': 'nd',
  'selector-tag': 'nt',
  strong: 'gs',
  symbol: 'ss',
  'template-tag': 'cp',
  'template-variable': 'nv',
  'title.class': 'nc',
  'title.class.inherited': 'nc',
  'title.function': 'nf',
  type: 'kt',
  variable: 'nv',
  'variable.constant': 'no',
  'variable.language': 'bp',
}

/** Returns the class of a scope, or undefined if it has none. */
export function getShortClass(scope: string, text: string): string | undefined {
  if (scope === 'string') return stringClass(text)
  if (scope === 'number') return numberClass(text)
  if (scope === 'comment') return text.startsWith('/*') ? 'cm' : 'c1'
  return classes[scope]
}

function stringClass(text: string): string {
  if (text.startsWith('"')) return 's2'
  if (text.startsWith("'")) return 's1'
  return text.startsWith('`') ? 'sb' : 's'
}

function numberClass(text: string): string {
  if (/^0[xX]/.test(text)) return 'mh'
  return /[.eE]/.test(text) ? 'mf' : 'mi'
}
