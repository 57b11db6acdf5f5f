import { type ESTree, parseSync, Visitor } from 'vite'
import type { SourceFile } from '../import-arrows.ts'
import type { Pattern } from './pattern-graph.ts'

export interface FoundPattern extends Pattern {
  path: string
  line: number
}

/** Stands for a part of a pattern that is only known when the program runs. */
const unknownPart = 'x'

/** Matches a slash that does not divide, close an element or begin a comment. Most files have none and need no parser. */
const mayContainPattern = /(?:^|[^\w)\].'"`/*<\s]|return|case|of)\s*\/(?![/*])|RegExp/m

/**
 * Lists the regular expressions of a file: literals, and arguments of `RegExp` as far as they are
 * written in the file. An unknown part of such an argument counts as one letter.
 */
export function listPatterns({ path, text }: SourceFile): FoundPattern[] {
  const found: FoundPattern[] = []
  const texts = new Map<string, string>()
  const add = (start: number, source: string, flags: string) =>
    found.push({ path, line: text.slice(0, start).split('\n').length, source, flags })

  const readText = (node: ESTree.Node | undefined): string | undefined => {
    if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
    if (node?.type === 'Identifier') return texts.get(node.name)
    if (node?.type === 'BinaryExpression' && node.operator === '+')
      return (readText(node.left) ?? unknownPart) + (readText(node.right) ?? unknownPart)
    if (node?.type === 'TaggedTemplateExpression') return readTemplate(node.quasi, 'raw')
    return node?.type === 'TemplateLiteral' ? readTemplate(node, 'cooked') : undefined
  }
  const readTemplate = ({ quasis, expressions }: ESTree.TemplateLiteral, form: 'raw' | 'cooked'): string =>
    quasis
      .map(({ value }, index) => {
        const before = index === 0 ? '' : (readText(expressions[index - 1]) ?? unknownPart)
        return before + (value[form] ?? '')
      })
      .join('')
  const readCall = (node: ESTree.NewExpression | ESTree.CallExpression) => {
    if (node.callee.type !== 'Identifier' || node.callee.name !== 'RegExp') return
    const [source, flags] = node.arguments
    const read = readText(source)
    if (read !== undefined) add(node.start, read, readText(flags) ?? '')
  }

  if (!mayContainPattern.test(text)) return found
  const { program } = parseSync(path, text)
  new Visitor({
    VariableDeclarator({ id, init }) {
      const value = readText(init ?? undefined)
      if (id.type === 'Identifier' && value !== undefined) texts.set(id.name, value)
    },
  }).visit(program)
  new Visitor({
    Literal(node) {
      if ('regex' in node) add(node.start, node.regex.pattern, node.regex.flags)
    },
    NewExpression: readCall,
    CallExpression: readCall,
  }).visit(program)
  return found
}
