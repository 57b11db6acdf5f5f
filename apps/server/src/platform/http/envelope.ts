import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'

/** Lists longer than this are written in slices, so that one large answer does not hold up everyone else's. */
const slice = 500

export function successBody(fields: object): string | Readable {
  const large = Object.values(fields).some((value) => Array.isArray(value) && value.length > slice)
  if (large) return Readable.from(slices(fields), { objectMode: false })
  return `${JSON.stringify({ result: 'success', msg: '', ...fields })}\n`
}

async function* slices(fields: object): AsyncGenerator<string> {
  yield '{"result":"success","msg":""'
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    yield `,${JSON.stringify(name)}:`
    if (!Array.isArray(value)) {
      yield JSON.stringify(value)
      continue
    }
    yield '['
    for (let start = 0; start < value.length; start += slice) {
      const part = JSON.stringify(value.slice(start, start + slice)).slice(1, -1)
      yield start === 0 ? part : `,${part}`
      await setImmediate()
    }
    yield ']'
  }
  yield '}\n'
}
