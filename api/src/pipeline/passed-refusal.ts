import { Buffer } from 'node:buffer';
import { findRefusalCause } from '@tollgate/dialects/account-trouble';
import { getCodec } from '@tollgate/dialects/codec';
import type { UpstreamCall } from '@tollgate/upstreams/transport/transport';
import { getDialect, type AttemptContext } from './attempt-context.ts';
import { logError } from './log-attempt.ts';
import { parseErrorBody, toProviderSaid } from './provider-said.ts';
import { repeatsRequest } from './repeats-request.ts';

const MAX_BYTES = 16 * 1024;
/** The body of an error nearly always comes with its headers. */
const MAX_WAIT_MS = 1_000;
/** The search of a larger request takes too long, because another attempt runs. */
const MAX_REFUSAL_BYTES = 64 * 1024;

interface Passed {
  call: UpstreamCall | null;
  status: number;
  /** The attempt, whose failure is recorded already. */
  attempt: object;
}

/** Reads what a provider says in an error response, while the request is tried elsewhere. It delays nothing. */
export class PassedRefusal {
  readonly #context: AttemptContext;
  readonly #passed: Passed;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #isOver = false;
  readonly #timer: NodeJS.Timeout;

  constructor(context: AttemptContext, passed: Passed) {
    this.#context = context;
    this.#passed = passed;
    this.#timer = setTimeout(() => this.#stop(), MAX_WAIT_MS);
    this.#timer.unref();
  }

  add(chunk: Buffer): void {
    if (this.#isOver) return;
    this.#bytes += chunk.length;
    // The memory of a chunk may be lent.
    if (this.#bytes <= MAX_BYTES) this.#chunks.push(Buffer.from(chunk));
    else this.#stop();
  }

  /** Records what has arrived. Nothing more is read. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    try {
      if (this.#bytes > 0) this.#note();
    } catch (error) {
      logError(this.#context, error, 'what a provider said could not be recorded');
    }
  }

  #stop(): void {
    this.end();
    this.#passed.call?.abort();
  }

  #note(): void {
    const { relay } = this.#context;
    const { redact, settlement } = relay;
    // The memory of the request may be freed.
    if (settlement.isSettled) return;
    const { status, attempt } = this.#passed;
    const body = parseErrorBody(Buffer.concat(this.#chunks));
    const error = getCodec(getDialect(this.#context)).decodeError(status, body);
    const isAboutAccount = findRefusalCause(status, error) !== 'request';
    const said = toProviderSaid(status, { error, body, redact, isAboutAccount, sent: relay });
    const isKept = isAboutAccount && this.#repeatsNothing(error.message);
    settlement.attempts.noteSaid(
      attempt,
      isKept ? { ...said, refusal: redact(error.message), detail: null } : said,
    );
  }

  /** The operator reads messages about the account, but must not read requests. */
  #repeatsNothing(message: string): boolean {
    const { body, request } = this.#context.relay;
    if (body.length > MAX_REFUSAL_BYTES) return false;
    return repeatsRequest(message, { body, names: [request.model] }) === false;
  }
}
