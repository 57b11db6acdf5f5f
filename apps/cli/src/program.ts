import { describeUnknownVariables } from '@oxbow/server'
import { Command } from 'commander'
import { botCommand } from './commands/bot.ts'
import { configCommand } from './commands/config.ts'
import { databaseCommand } from './commands/database.ts'
import { filesCommand } from './commands/files.ts'
import { integrationCommand } from './commands/integration.ts'
import { migrateCommand } from './commands/migrate.ts'
import { organizationCommand } from './commands/organization.ts'
import { secretCommand } from './commands/secret.ts'
import { serveCommand } from './commands/serve.ts'
import { userCommand } from './commands/user.ts'
import { warn } from './report.ts'
import { version } from './version.ts'

export function program(): Command {
  return new Command('oxbow')
    .description('Set up, run and maintain an Oxbow server.')
    .version(version)
    .hook('preAction', () => describeUnknownVariables(process.env).forEach(warn))
    .addHelpText(
      'after',
      `
To try it, with PostgreSQL running on this machine:
  oxbow organization create --name "Our team" --owner-email me@example.com --owner-name "My Name"
  oxbow serve

Settings are environment variables (DATABASE_URL, OXBOW_PORT, …). Run \`oxbow config\` to list them.`,
    )
    .addCommand(serveCommand())
    .addCommand(migrateCommand())
    .addCommand(databaseCommand())
    .addCommand(filesCommand())
    .addCommand(secretCommand())
    .addCommand(organizationCommand())
    .addCommand(userCommand())
    .addCommand(botCommand())
    .addCommand(integrationCommand())
    .addCommand(configCommand())
}
