import { parseArgs } from 'node:util'
import { compareFiles } from '../bench/compare.ts'
import { print } from '../bench/figures.ts'
import { findLimit } from './find-limit.ts'
import { runLadder } from './ladder.ts'
import { printRun } from './print-run.ts'
import { runScenario } from './run.ts'
import { listScenarios, loadScenario } from './scenario.ts'
import { writeRuns } from './write-runs.ts'

// npm run load -- SCENARIO         plays people against a node of its own and checks everything; README.md explains it
//   --people N --minutes N         how many are online, and how long the phase `work` takes
//   --seconds-between N            mean time between two actions of a person
//   --ladder 250,500,1000          plays several sizes, and shows how the costs grow
//   --find-limit                   raises the number of people until a limit is exceeded
//   --profile                      lists the node's functions that take most processor time
//   --program FILE                 measures another program, such as apps/cli/bin/oxbow.js of another work tree
//   --json FILE --html FILE        save the figures and the report
// npm run load -- --compare BEFORE.json AFTER.json
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    people: { type: 'string' },
    minutes: { type: 'string' },
    'seconds-between': { type: 'string' },
    seed: { type: 'string' },
    ladder: { type: 'string' },
    'find-limit': { type: 'boolean', default: false },
    compare: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
    program: { type: 'string' },
    json: { type: 'string' },
    html: { type: 'string' },
  },
})

const numberOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text)
const changes = {
  people: numberOf(values.people),
  minutes: numberOf(values.minutes),
  secondsBetween: numberOf(values['seconds-between']),
  seed: numberOf(values.seed),
}
const options = { program: values.program, isProfiled: values.profile }

const [name = 'working-day', second] = positionals
if (values.compare) {
  if (second === undefined) fail('--compare needs two files, which `npm run load -- … --json FILE` writes.')
  else for (const line of compareFiles(name, second)) print(line)
} else if (!listScenarios().includes(name))
  fail(`There is no scenario ${name}. Choose from: ${listScenarios().join(', ')}`)
else {
  const make = (people?: number) => loadScenario(name, { ...changes, ...(people && { people }) })
  const runs = values.ladder
    ? await runLadder(values.ladder.split(',').map(Number), make, options)
    : values['find-limit']
      ? await findLimit(make, options)
      : [await runScenario(make(), options)]
  if (!values.ladder && !values['find-limit']) for (const run of runs) printRun(run)
  writeRuns(runs, values)
  // The last runs of a search exceed a limit on purpose.
  if (!values['find-limit'] && runs.some(({ isPassed, isValid }) => !isPassed || !isValid))
    process.exitCode = 1
}

function fail(text: string): void {
  process.stderr.write(`${text}\n`)
  process.exitCode = 1
}
