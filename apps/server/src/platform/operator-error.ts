/** A mistake in an operator's command. The operator sees the message. */
export class OperatorError extends Error {}

/** The environment of the server is not set up correctly. The message tells the operator what to do. */
export class SetupError extends Error {}
