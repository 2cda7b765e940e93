/**
 * The part of a request's road that crosses the network: forwards it to the chosen route, brings the answer back by
 * the relay that fits it, and makes sure that each of the ways it can end (answered, failed, cut by the operator,
 * left by the caller) settles it once and leaves nothing running.
 */
import type { Buffer } from 'node:buffer';
import type { GatewayError } from '@tollgate/core/errors';
import { editJsonMembers } from '@tollgate/dialects/json/edit-members';
import type {
  UpstreamCall,
  UpstreamFault,
  UpstreamListener,
  UpstreamRequest,
  UpstreamTransport,
} from '@tollgate/upstreams/transport/transport';
import type { Logger } from 'pino';
import type { Route } from '../catalogue/catalogue.ts';
import type { ExchangeListener } from '../exchange.ts';
import type { InFlight, RunningCompletion } from './in-flight.ts';
import { ErrorRelay } from './relay-error.ts';
import { StreamRelay } from './relay-stream.ts';
import { WholeRelay } from './relay-whole.ts';
import { refuse, type Relay, type RelayContext } from './relay.ts';
import { errorOfFault, OVERSIZE_ANSWER, UNREADABLE_ANSWER } from './upstream-failure.ts';

export interface ExecuteContext extends RelayContext {
  /** SHA-256 of the key, in hex. */
  keyHash: string;
  route: Route;
  body: Buffer;
  transport: UpstreamTransport;
  inFlight: InFlight;
  log: Logger;
}

/** Starts a completion; it goes on by itself until it is settled. */
export function execute(context: ExecuteContext): void {
  new CompletionRun(context).start();
}

class CompletionRun implements UpstreamListener, ExchangeListener, RunningCompletion {
  readonly keyHash: string;
  slot = -1;
  readonly #context: ExecuteContext;
  /** null until the provider has answered: a failure is an answer of its own till then. */
  #relay: Relay | null = null;
  #call: UpstreamCall | null = null;
  #isOver = false;

  constructor(context: ExecuteContext) {
    this.keyHash = context.keyHash;
    this.#context = context;
  }

  start(): void {
    const { exchange, transport, inFlight } = this.#context;
    inFlight.add(this);
    exchange.listen(this);
    if (this.#isOver) return;
    this.#call = transport.send(upstreamRequest(this.#context), this);
  }

  onStart(status: number, header: (name: string) => string | null): void {
    this.#context.settlement.noteFirstByte();
    const contentType = header('content-type') ?? 'application/json';
    const encoding = header('content-encoding') ?? 'identity';
    if (encoding !== 'identity') this.#abandon(UNREADABLE_ANSWER);
    else if (status < 200 || status > 299) this.#relay = new ErrorRelay(this.#context, status, header);
    else if (contentType.startsWith('text/event-stream'))
      this.#relay = new StreamRelay(this.#context, status, contentType);
    else this.#relay = new WholeRelay(this.#context, status, contentType);
  }

  onData(chunk: Buffer): void {
    if (this.#isOver) return;
    try {
      if (this.#relay?.take(chunk) === false) this.#call?.pause();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#context.log.warn(
        { requestId: this.#context.exchange.requestId, err: error },
        'an answer was too large',
      );
      this.#abandon(OVERSIZE_ANSWER);
    }
  }

  onEnd(): void {
    if (this.#isOver) return;
    this.#close();
    this.#relay?.finish();
  }

  onError(fault: UpstreamFault): void {
    if (this.#isOver) return;
    const { log, exchange, route } = this.#context;
    log.warn(
      { requestId: exchange.requestId, provider: route.provider.name, ...fault },
      'the provider failed',
    );
    this.#close();
    this.#fail(errorOfFault(fault));
  }

  onGone(): void {
    if (this.#isOver) return;
    this.#close();
    this.#call?.abort();
    const metered = this.#relay?.meter();
    this.#context.settlement.settleGone(metered?.usage ?? null, metered?.estimated ?? false);
  }

  onDrain(): void {
    this.#call?.resume();
  }

  cut(error: GatewayError): void {
    if (!this.#isOver) this.#abandon(error);
  }

  #abandon(error: GatewayError): void {
    this.#close();
    this.#call?.abort();
    this.#fail(error);
  }

  #fail(error: GatewayError): void {
    if (this.#relay === null) refuse(this.#context, error);
    else this.#relay.fail(error);
  }

  #close(): void {
    this.#isOver = true;
    this.#context.inFlight.remove(this);
  }
}

function upstreamRequest({ exchange, face, request, route, body }: ExecuteContext): UpstreamRequest {
  const { address } = route;
  let { headers } = route;
  for (const name of face.forwardedHeaders) {
    const value = exchange.header(name);
    if (value !== null) headers = [...headers.filter((_, at, all) => !isPairOf(all, at, name)), name, value];
  }
  return {
    origin: address?.origin ?? '',
    path: (address?.path ?? face.path) + exchange.query,
    headers,
    body: forwardedBody(request, route, body),
  };
}

/** True for the name and the value of a header in a list of them. */
function isPairOf(list: readonly string[], at: number, name: string): boolean {
  return list[at - (at % 2)] === name;
}

/** The caller's own bytes, but for the members that must change. */
function forwardedBody(request: ExecuteContext['request'], route: Route, body: Buffer): Buffer {
  const renamed = route.upstreamModel === request.model ? {} : { model: JSON.stringify(route.upstreamModel) };
  const changes = { ...request.forwardChanges, ...renamed };
  return Object.keys(changes).length === 0 ? body : editJsonMembers(body, changes);
}
