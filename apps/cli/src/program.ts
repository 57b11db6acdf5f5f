import { oxbowVersion } from '@oxbow/assets'
import { describeUnknownVariables } from '@oxbow/server'
import { Command } from 'commander'
import { backupCommand } from './commands/backup.ts'
import { botCommand } from './commands/bot.ts'
import { configCommand } from './commands/config.ts'
import { databaseCommand } from './commands/database.ts'
import { doctorCommand } from './commands/doctor.ts'
import { filesCommand } from './commands/files.ts'
import { moveInCommand } from './commands/import.ts'
import { integrationCommand } from './commands/integration.ts'
import { jobsCommand } from './commands/jobs.ts'
import { migrateCommand } from './commands/migrate.ts'
import { organizationCommand } from './commands/organization.ts'
import { restoreCommand } from './commands/restore.ts'
import { secretCommand } from './commands/secret.ts'
import { serveCommand } from './commands/serve.ts'
import { tryCommand } from './commands/try.ts'
import { userCommand } from './commands/user.ts'
import { versionCommand } from './commands/version.ts'
import { warn } from './report.ts'

export function program(): Command {
  return new Command('oxbow')
    .description('Set up, run and maintain an Oxbow server.')
    .version(oxbowVersion)
    .hook('preAction', () => describeUnknownVariables(process.env).forEach(warn))
    .addHelpText(
      'after',
      `
To try it, with a PostgreSQL of its own:
  oxbow try

With PostgreSQL running on this machine:
  oxbow organization create --name "Our team" --owner-email me@example.com --owner-name "My Name"
  oxbow serve

Settings are environment variables (DATABASE_URL, OXBOW_PORT, …). Run \`oxbow config\` to list them.`,
    )
    .addCommand(tryCommand())
    .addCommand(serveCommand())
    .addCommand(doctorCommand())
    .addCommand(migrateCommand())
    .addCommand(databaseCommand())
    .addCommand(backupCommand())
    .addCommand(restoreCommand())
    .addCommand(filesCommand())
    .addCommand(jobsCommand())
    .addCommand(secretCommand())
    .addCommand(organizationCommand())
    .addCommand(moveInCommand())
    .addCommand(userCommand())
    .addCommand(botCommand())
    .addCommand(integrationCommand())
    .addCommand(configCommand())
    .addCommand(versionCommand())
}
