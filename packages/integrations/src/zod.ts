// The zod that integrations outside this package import, see `own-services.ts`.
export * from 'zod'
