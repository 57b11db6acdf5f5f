import { checkFileStore, type FileStoreKind, moveFileStore } from '@oxbow/server'
import { Command, Option } from 'commander'
import { describeSize } from '../describe-size.ts'
import { makeProgressLine } from '../progress-line.ts'
import { print, printJson } from '../report.ts'
import { withApp } from '../with-app.ts'

export function filesCommand(): Command {
  return new Command('files')
    .description('Check uploaded files, and move them between a directory and an object store.')
    .addCommand(moveCommand())
    .addCommand(checkCommand())
}

interface MoveCommandOptions {
  to: FileStoreKind
  removeOld?: boolean
  json?: boolean
}

function moveCommand(): Command {
  return new Command('move')
    .description(
      'Copy all files from the directory to the object store (--to s3) or back (--to directory), and compare each copy with its original by checksum. Nodes may run meanwhile. Run it again after an interruption, and once more while all nodes are stopped, before they use the new store.',
    )
    .addOption(
      new Option('--to <store>', 'where to move the files')
        .choices(['s3', 'directory'])
        .makeOptionMandatory(),
    )
    .option(
      '--remove-old',
      'remove each file from the old store after its checksum was compared; only when all nodes use the new store',
    )
    .option('--json', 'print a JSON object')
    .action(async ({ to, removeOld = false, json }: MoveCommandOptions) => {
      const progress = makeProgressLine()
      const moved = await withApp((app) =>
        moveFileStore(app, to, {
          removeOld,
          onProgress({ files, copied, copiedBytes }) {
            progress(`${files} files done, ${copied} of them copied (${describeSize(copiedBytes)})`)
          },
        }),
      )
      if (json) return printJson(moved)
      const { files, copied, copiedBytes, removed, conflicts, unreferenced, runningNodes } = moved
      print(
        `${files} files are in the new store. ${copied} were copied now (${describeSize(copiedBytes)}); their checksums are right.`,
      )
      if (conflicts > 0)
        print(
          `The new store has newer, different files under the names of ${conflicts} old ones. Nothing was done with these.`,
        )
      if (unreferenced > 0)
        print(
          `${unreferenced} old files were not copied, because nothing refers to them any more. They stay in the old store; delete it when you do not need them.`,
        )
      if (removeOld) print(`${removed} files were removed from the old store.`)
      else print(describeNextSteps(to, runningNodes))
    })
}

function describeNextSteps(to: FileStoreKind, runningNodes: number): string {
  const change =
    to === 's3' ? 'give all nodes the OXBOW_S3_… settings' : 'remove the OXBOW_S3_… settings from all nodes'
  const removal = `and remove the old files at any time with \`oxbow files move --to ${to} --remove-old\`.`
  if (runningNodes === 0) return `Now ${change}, start them, ${removal}`
  const nodes = runningNodes === 1 ? '1 node runs' : `${runningNodes} nodes run`
  return `${nodes} and may have stored more files meanwhile. Stop all nodes, run this command again, ${change}, start them, ${removal}`
}

function checkCommand(): Command {
  return new Command('check')
    .description(
      'List files that the database refers to and the store lacks, and files that nothing refers to. Nodes may run meanwhile. Ends with status 1 if files are missing.',
    )
    .option('--json', 'print a JSON object')
    .action(async ({ json }: { json?: boolean }) => {
      const found = await withApp((app) =>
        checkFileStore(app, async ({ files, bytes, referenced, missing, unreferenced }) => {
          const lists = { missing: new KeyList(json), unreferenced: new KeyList(json) }
          for await (const key of missing) lists.missing.add('missing', key)
          for await (const { key, size } of unreferenced) lists.unreferenced.add('not referred to', key, size)
          return { files, bytes, referenced, ...lists }
        }),
      )
      const { files, bytes, referenced, missing, unreferenced } = found
      if (missing.count > 0) process.exitCode = 1
      if (json)
        return printJson({ files, bytes, referenced, missing: missing.keys, unreferenced: unreferenced.keys })
      print(
        `${files} files (${describeSize(bytes)}). The database refers to ${referenced}; ${missing.count} of them are missing.`,
      )
      print(`Nothing refers to ${unreferenced.count} files (${describeSize(unreferenced.bytes)}).`)
    })
}

/** Counts keys, and prints each immediately or collects them for a JSON object. */
class KeyList {
  readonly keys: string[] = []
  readonly #isCollected: boolean
  count = 0
  bytes = 0

  constructor(isCollected = false) {
    this.#isCollected = isCollected
  }

  add(label: string, key: string, size = 0): void {
    this.count++
    this.bytes += size
    if (this.#isCollected) this.keys.push(key)
    else print(`${label}: ${key}`)
  }
}
