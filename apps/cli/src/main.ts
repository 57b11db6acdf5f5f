import { program } from './program.ts'
import { report } from './report.ts'

// A reader that has seen enough, as in `oxbow config | head`, closes the pipe, which is no failure of ours.
for (const output of [process.stdout, process.stderr]) {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

try {
  await program().parseAsync()
} catch (error) {
  report(error)
  process.exitCode = 1
}
