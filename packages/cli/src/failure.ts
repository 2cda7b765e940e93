/** An expected error: a one-line message, a code for programs, exit code 1. */
export class Failure extends Error {
  readonly code: string;

  /** @param code stable, in snake_case: `account_not_found` */
  constructor(code: string, message: string) {
    super(message);
    this.name = 'Failure';
    this.code = code;
  }
}

/** A usage error; exit code 2. */
export class UsageFailure extends Failure {
  constructor(message: string) {
    super('usage', message);
    this.name = 'UsageFailure';
  }
}
