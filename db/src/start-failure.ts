/**
 * A start that failed for a reason that the operator can remove. The message is two lines: what happened, and what
 * to do.
 */
export class StartFailure extends Error {
  /** One sentence, without a full stop. */
  readonly what: string;
  /** Next steps, one sentence or two. */
  readonly fix: string;

  constructor(what: string, fix: string, options?: ErrorOptions) {
    super(`${what}\n${fix}`, options);
    this.name = 'StartFailure';
    this.what = what;
    this.fix = fix;
  }
}
