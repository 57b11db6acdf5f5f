import { ConfigError, type Finding, loadConfig } from '@oxbow/server'
import { Command, InvalidArgumentError } from 'commander'
import { print, printJson } from '../report.ts'

export function doctorCommand(): Command {
  return new Command('doctor')
    .description(
      'Check the installation: settings, data directory, files, disk space, database, secret, clock, jobs, external URL, proxy and mail. Run it with the settings of a node, while nodes run. It repairs nothing, and sends no e-mail. Ends with status 1 if there is a problem.',
    )
    .option('--json', 'print a JSON object')
    .option(
      '--wait <seconds>',
      'how long a request to the external URL waits for its answer, as clients do for events; 0 leaves this check out',
      readSeconds,
      60,
    )
    .action(async ({ json, wait }: { json?: boolean; wait: number }) => {
      const report = json ? () => {} : printFinding
      const findings = await runChecks(report, wait)
      const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length
      const [problems, warnings] = [count('problem'), count('warning')]
      if (problems > 0) process.exitCode = 1
      if (json) printJson({ problems, warnings, findings })
      else print(`${findings.length} checks: ${problems} problems, ${warnings} warnings.`)
    })
}

/** Runs all checks. Invalid settings are reported as a finding, and nothing else can then be checked. */
async function runChecks(report: (finding: Finding) => void, waitSeconds: number): Promise<Finding[]> {
  try {
    const { config } = loadConfig()
    const settings: Finding = { check: 'settings', state: 'ok', found: 'All settings are valid.' }
    report(settings)
    const { examine } = await import('@oxbow/server/doctor')
    return [
      settings,
      ...(await examine({ ...config, log_level: 'error' }, { report, announce, waitSeconds })),
    ]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const [, ...mistakes] = error.message.split('\n').map((line) => line.trim())
    const found = `${mistakes.join('; ')}.`
    const finding: Finding = { check: 'settings', state: 'problem', found, remedy: 'Correct the settings.' }
    report(finding)
    return [finding]
  }
}

function readSeconds(text: string): number {
  const seconds = Number(text)
  if (!Number.isInteger(seconds) || seconds < 0 || seconds > 300)
    throw new InvalidArgumentError('Give a number of seconds from 0 to 300.')
  return seconds
}

const announce = (text: string): void => void process.stderr.write(`${text}\n`)

function printFinding({ check, state, found, remedy }: Finding): void {
  print([state.padEnd(8), check.padEnd(15), found, remedy].filter(Boolean).join(' '))
}
