// Validators of the contract are compiled by `new Function` unless this is set before they are loaded; the policy of the
// document forbids it.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
