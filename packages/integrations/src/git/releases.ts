import { code, line, link } from '../markdown/text.ts'

export interface Release {
  readonly actor: string
  readonly action: string
  readonly tag: string
  /** The name of the release, or its tag if it has none. */
  readonly name?: string | undefined
  readonly url?: string | undefined
}

export function releaseMessage({ actor, action, tag, name = tag, url }: Release): string {
  return `${line(actor)} ${line(action)} release ${link(name, url)} for tag ${code(tag)}.`
}
