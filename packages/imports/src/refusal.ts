/** An archive, or an option, that cannot be used at all. The message says what to do. */
export class ImportRefusal extends Error {}
