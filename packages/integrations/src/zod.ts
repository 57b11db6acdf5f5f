// The zod of this server, for integrations outside this package; see `own-services.ts`.
export * from 'zod'
