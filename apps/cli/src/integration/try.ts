import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { loadService } from '@oxbow/integrations'
import { type Fixture, readFixture, translateFixture } from '@oxbow/integrations/fixtures'
import { OperatorError } from '@oxbow/server'
import { describeOutcome } from './describe-outcome.ts'
import type { Pairs } from './pairs.ts'

export interface TryOptions {
  topic?: string
  query: Pairs
  header: Pairs
}

export interface TryResult {
  text: string
  /** Whether the sender would get a success response. */
  isSuccess: boolean
}

export async function tryIntegration(name: string, file: string, options: TryOptions): Promise<TryResult> {
  const integration = await loadService(name)
  if (!integration)
    throw new OperatorError(`There is no integration "${name}". Run \`oxbow integration list\` to list them.`)
  const fixture = parse(await read(file), file)
  const query = { ...fixture.query, ...options.query, ...(options.topic && { topic: options.topic }) }
  const headers = { ...fixture.headers, ...options.header }
  const outcome = translateFixture(integration, { ...fixture, query, headers })
  const isSuccess = outcome.kind === 'messages' || outcome.kind === 'ignored'
  return { text: describeOutcome(outcome, query), isSuccess }
}

async function read(file: string): Promise<string> {
  if (file === '-') return text(process.stdin)
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new OperatorError(`${file} cannot be read: ${(error as Error).message}`)
  }
}

function parse(json: string, file: string): Fixture {
  try {
    return readFixture(json)
  } catch (error) {
    throw new OperatorError(`${file === '-' ? 'The input' : file} is not JSON: ${(error as Error).message}`)
  }
}
