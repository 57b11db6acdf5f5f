import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ImportOptions, Report, System } from '@oxbow/imports'
import { OperatorError } from '@oxbow/server'
import { Command, Option } from 'commander'
import { makeProgressLine } from '../progress-line.ts'
import { removeOnSignals } from '../remove-on-signals.ts'
import { print, printJson } from '../report.ts'
import { withApp } from '../with-app.ts'

export function moveInCommand(): Command {
  return new Command('import')
    .description('Move in from another chat system: check its archive, and convert it into an Oxbow export.')
    .addCommand(checkCommand())
    .addCommand(convertCommand())
}

interface SourceOptions {
  from?: System
  name?: string
  owner?: string
  people?: string
  threadTopics: string
  runningTopics: ImportOptions['runningTopics']
  timeZone: string
  notices?: boolean
  encoding: string
  markdown?: boolean
  ownView?: boolean
  maxFile: string
}

/** Adds the options that decide what an archive becomes, for all commands that read one. */
const withSourceOptions = (command: Command): Command =>
  command
    .argument('<archive>', 'the archive as it was downloaded, or the folder into which it was unpacked')
    .addOption(
      new Option('--from <system>', 'the system that made it (default: recognized by its files)').choices([
        'csv',
        'slack',
      ]),
    )
    .option('--name <name>', 'name of the organization')
    .option('--owner <address>', 'e-mail address of a person in the archive who owns the organization')
    .option('--people <file>', 'a table with addresses, names and actions for people (CSV)')
    .option(
      '--thread-topics <number>',
      'threads with so many replies become topics; or `all`, or `none`',
      '3',
    )
    .addOption(
      new Option('--running-topics <period>', 'how often the topic of messages outside of threads changes')
        .choices(['month', 'day', 'single'])
        .default('month'),
    )
    .option('--time-zone <zone>', 'time zone of dates in topics, and of times without a zone', 'UTC')
    .option('--notices', 'also take notices such as "joined the channel"')
    .option('--encoding <name>', 'encoding of tables without a byte order mark', 'utf-8')
    .option('--markdown', 'the texts of tables are Markdown')
    .option('--own-view', 'also take private conversations from an archive that one person made')
    .option('--max-file <mib>', 'leave out larger files', '2048')

interface CheckOptions extends SourceOptions {
  json?: boolean
  shape?: boolean
  html?: string
}

function checkCommand(): Command {
  return withSourceOptions(new Command('check'))
    .description(
      'Read a whole archive, change nothing, and say what comes, what does not, and why. Ends with status 1 if something must be done before the import.',
    )
    .option('--json', 'print the report as a JSON object')
    .option('--html <file>', 'also write the report as a page')
    .option('--shape', 'print only the structure of the archive, without any value in it')
    .action(async (path: string, options: CheckOptions) => {
      const { describeShape, openSource, openArchive, nowhere } = await import('@oxbow/imports')
      if (options.shape) {
        await using archive = await openArchive(path)
        return printJson(await describeShape(archive))
      }
      const settings = await readSettings(path, options)
      await using source = await openSource(path, options.from, sourceOptions(options))
      const work = mkdtempSync(join(tmpdir(), 'oxbow-import-'))
      const remove = () => rmSync(work, { recursive: true, force: true })
      removeOnSignals(remove)
      try {
        const report = await runAndReport(source, settings, { sink: nowhere, work })
        await showReport(report, options)
      } finally {
        remove()
      }
    })
}

interface ConvertOptions extends SourceOptions {
  work: string
  out: string
  json?: boolean
  html?: string
}

function convertCommand(): Command {
  return withSourceOptions(new Command('convert'))
    .description(
      'Write an Oxbow export of an archive, for `oxbow organization import`. Run it again after an interruption: completed steps are not repeated.',
    )
    .requiredOption(
      '--work <folder>',
      'a folder for what the command needs to continue; it will contain private messages',
    )
    .requiredOption('--out <folder>', 'a new folder for the export')
    .option('--json', 'print the report as a JSON object')
    .option('--html <file>', 'also write the report as a page')
    .action(async (path: string, options: ConvertOptions) => {
      const { openSource } = await import('@oxbow/imports')
      const { writeConvertedExport } = await import('@oxbow/server/transfer')
      const settings = await readSettings(path, options)
      await using source = await openSource(path, options.from, sourceOptions(options))
      let report: Report | undefined
      const { work, out } = options
      await withApp((app) =>
        writeConvertedExport(
          app,
          out,
          {
            work,
            name: settings.name,
            createdAt: new Date(settings.exportedAt / 1_000),
            onOpened: removeOnSignals,
          },
          async (sink) => {
            report = await runAndReport(source, settings, { sink, work })
            if (report.problems.length > 0) throw new OperatorError(report.problems.join('\n'))
          },
        ),
      )
      if (!report) return
      await showReport(report, options)
      if (!options.json)
        print(`\nThe export is in ${out}. Now: oxbow organization import ${out} --subdomain NAME`)
    })
}

type OpenedSource = Awaited<ReturnType<typeof import('@oxbow/imports')['openSource']>>
type Destination = Pick<Parameters<typeof import('@oxbow/imports')['runImport']>[0], 'sink' | 'work'>

async function runAndReport(
  { archive, adapter }: OpenedSource,
  options: ImportOptions,
  destination: Destination,
): Promise<Report> {
  const { makeReport, runImport } = await import('@oxbow/imports')
  const progress = makeProgressLine()
  const result = await runImport({
    adapter,
    fingerprint: archive.fingerprint,
    options,
    ...destination,
    onProgress: (step, done, total) =>
      progress(total > 0 ? `${step}: ${done} of ${total}` : `${step}: ${done}`),
  })
  return makeReport(archive, { ...result, system: adapter.system }, options)
}

async function showReport(report: Report, { json, html }: { json?: boolean; html?: string }): Promise<void> {
  const { reportHtml, reportText } = await import('@oxbow/imports')
  if (html !== undefined) writeFileSync(html, reportHtml(report), { mode: 0o600 })
  if (json) printJson(report)
  else print(reportText(report))
  if (report.problems.length > 0) process.exitCode = 1
}

async function readSettings(path: string, options: SourceOptions): Promise<ImportOptions> {
  const { defaultOptions, isTimeZone, readPeopleList } = await import('@oxbow/imports')
  const {
    name = 'Imported organization',
    owner = '',
    people,
    threadTopics,
    runningTopics,
    timeZone,
  } = options
  if (!isTimeZone(timeZone))
    throw new OperatorError(`--time-zone names no time zone: ${timeZone}. Example: Europe/Berlin`)
  return {
    ...defaultOptions,
    name,
    owner: owner.trim().toLowerCase(),
    people: people === undefined ? [] : await readPeopleList(people),
    threadTopics: readThreadTopics(threadTopics),
    runningTopics,
    timeZone,
    withNotices: options.notices === true,
    exportedAt: findTime(path) * 1_000,
    maxFileBytes: readNumber('--max-file', options.maxFile) * 1_048_576,
  }
}

const sourceOptions = ({ encoding, timeZone, markdown, ownView }: SourceOptions) => ({
  ...{ encoding, timeZone, isMarkdown: markdown === true, takesOwnView: ownView === true },
})

function findTime(path: string): number {
  const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: 0 }
  return Math.floor(mtimeMs)
}

function readThreadTopics(text: string): ImportOptions['threadTopics'] {
  return text === 'all' || text === 'none' ? text : readNumber('--thread-topics', text)
}

function readNumber(option: string, text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text)
  throw new OperatorError(`${option} must be a number from 1 on, not "${text}".`)
}
