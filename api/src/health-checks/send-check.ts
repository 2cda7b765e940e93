import { Buffer } from 'node:buffer';
import type {
  UpstreamCall,
  UpstreamFailure,
  UpstreamListener,
  UpstreamRequest,
  UpstreamTransport,
} from '@tollgate/upstreams/transport/transport';

/** A response of a few words is shorter. */
const MAX_BYTES = 256 * 1024;

export type SentCheck =
  | { kind: 'answer'; status: number; text: string }
  | { kind: 'failure'; failure: UpstreamFailure; isSent: boolean }
  /** The response is longer than a health check reads. */
  | { kind: 'oversize' }
  /** It was ended before the provider responded. */
  | { kind: 'stopped'; isSent: boolean };

/** The request of a health check in flight. */
export class SendingCheck implements UpstreamListener {
  readonly #ended = Promise.withResolvers<SentCheck>();
  readonly #call: UpstreamCall;
  #status = 0;
  #bytes = 0;
  readonly #chunks: Buffer[] = [];

  constructor(transport: UpstreamTransport, request: UpstreamRequest) {
    this.#call = transport.send(request, this);
  }

  /** Always resolves. */
  get ended(): Promise<SentCheck> {
    return this.#ended.promise;
  }

  stop(): void {
    const { isSent } = this.#call;
    this.#call.abort();
    this.#ended.resolve({ kind: 'stopped', isSent });
  }

  onStart(status: number): void {
    this.#status = status;
  }

  onData(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > MAX_BYTES) {
      this.#call.abort();
      return this.#ended.resolve({ kind: 'oversize' });
    }
    // The transport may reuse the buffer.
    this.#chunks.push(Buffer.from(chunk));
  }

  onEnd(): void {
    const text = Buffer.concat(this.#chunks).toString('utf8');
    this.#ended.resolve({ kind: 'answer', status: this.#status, text });
  }

  onError(failure: UpstreamFailure): void {
    this.#ended.resolve({ kind: 'failure', failure, isSent: this.#call.isSent });
  }
}
