// Exports this server's zod to integrations outside this package; see `own-services.ts`.
export * from 'zod'
