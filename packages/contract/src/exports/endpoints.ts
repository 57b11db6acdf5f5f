import { z } from 'zod'
import { dataExportId } from '../ids.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { field } from '../kernel/field.ts'
import { path } from '../kernel/params.ts'
import { dataExport, exportLifetimeDays, exportPeriodDays, maxExports } from './shape.ts'

export const list = endpoint({
  summary: 'List the exports of the organization.',
  method: 'GET',
  path: '/api/v1/export/realm',
  auth: 'user',
  only: ['administrators', 'people'],
  params: {},
  response: { exports: field(z.array(dataExport), 'All exports that were started, the oldest first.') },
  errors: [],
})

export const start = endpoint({
  summary: 'Start an export of the public data of the organization.',
  description: `The export contains what every member can see: people, public streams, their messages and files. It runs in the background. When it is complete, events of the type \`realm_export\` contain the URL of the archive, which only administrators can download. The archive is deleted after ${exportLifetimeDays} days; the export then has a \`deleted_timestamp\`. An organization can start ${maxExports} exports in ${exportPeriodDays} days.`,
  method: 'POST',
  path: '/api/v1/export/realm',
  auth: 'user',
  only: ['administrators', 'people'],
  params: {},
  response: {},
  errors: ['TOO_MANY_EXPORTS', 'TOO_LARGE_TO_EXPORT'],
})

export const remove = endpoint({
  summary: 'Delete the archive of an export.',
  method: 'DELETE',
  path: '/api/v1/export/realm/{export_id}',
  auth: 'user',
  only: ['administrators', 'people'],
  params: { export_id: path(dataExportId, 'The id of the export.') },
  response: {},
  errors: ['EXPORT_NOT_FOUND', 'EXPORT_DELETED', 'EXPORT_PENDING', 'EXPORT_FAILED'],
})
