export { makeTeam, profiles, type TeamMessage, type TeamPerson } from './team.ts'
export { writeCsv } from './write-csv.ts'
export { makeSlackExport, slackTime } from './write-slack.ts'
export { makeZip, type ZipFile } from './zip.ts'
