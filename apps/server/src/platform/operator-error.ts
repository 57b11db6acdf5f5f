/** A mistake in an operator's command; the message is written for them. */
export class OperatorError extends Error {}

/** The environment of the server is not set up correctly; the message says what to do. */
export class SetupError extends Error {}
