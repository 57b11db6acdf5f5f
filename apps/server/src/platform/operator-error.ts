/** A mistake in what an operator typed, in words for them. */
export class OperatorError extends Error {}

/** Something around the server is not as it must be; the message says what to do about it. */
export class SetupError extends Error {}
