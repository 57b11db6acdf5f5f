import { z } from 'zod'
import { codeBlock, optional, text } from '../../writing.ts'

const sourceLines = optional(z.array(z.string()))

/** A stack frame, with the surrounding source if Sentry has it. */
export const frame = z.object({
  filename: optional(text),
  in_app: optional(z.boolean()),
  pre_context: sourceLines,
  context_line: optional(z.string()),
  post_context: sourceLines,
})
export type Frame = z.output<typeof frame>

/**
 * Chooses the innermost frame in the culprit file, otherwise in the program's own code, otherwise
 * any frame with source.
 */
export function failingFrame(frames: readonly Frame[], blamed: string | undefined): Frame | undefined {
  const framesWithSource = frames.filter(({ context_line }) => context_line?.trim())
  return (
    framesWithSource.findLast(({ filename }) => filename !== undefined && filename === blamed) ??
    framesWithSource.findLast(({ in_app }) => in_app) ??
    framesWithSource.at(-1)
  )
}

const languages: Readonly<Record<string, string>> = {
  csharp: 'csharp',
  go: 'go',
  java: 'java',
  javascript: 'javascript',
  node: 'javascript',
  php: 'php',
  python: 'python3',
  ruby: 'ruby',
  rust: 'rust',
}

export function showFrame(
  { pre_context = [], context_line = '', post_context = [] }: Frame,
  platform = '',
): string {
  const source = [
    ...pre_context.map((line) => `   ${line}`),
    `-> ${context_line}`,
    ...post_context.map((line) => `   ${line}`),
  ]
  return codeBlock(source.join('\n'), Object.hasOwn(languages, platform) ? languages[platform] : '')
}
