import { program } from './program.ts'
import { report } from './report.ts'

try {
  await program().parseAsync()
} catch (error) {
  report(error)
  process.exitCode = 1
}
