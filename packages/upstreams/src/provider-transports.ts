/**
 * Adapts requests to providers: most get a request unchanged, others need an envelope or a signature made when it is sent.
 * Callers see only the provider's dialect.
 */
import { Buffer } from 'node:buffer';
import { EnvelopeListener } from './envelope/envelope-listener.ts';
import { wrapForBedrock } from './envelope/bedrock-request.ts';
import { encodeEnvelopeError } from './envelope/envelope-error.ts';
import { wrapForVertex } from './envelope/vertex-request.ts';
import type { HttpProvider } from './provider.ts';
import { CredentialRefused } from './signing/credential-refused.ts';
import { RequestSigner } from './signing/request-signer.ts';
import type {
  UpstreamCall,
  UpstreamListener,
  UpstreamRequest,
  UpstreamTransport,
} from './transport/transport.ts';

/** The transport of each provider. */
export interface ProviderTransports {
  /** The plain transport if a provider has neither envelope nor signature, without overhead. */
  of(provider: HttpProvider): UpstreamTransport;
  close(): Promise<void>;
}

/** @param http sends prepared requests; it is closed with this */
export function createProviderTransports(
  http: UpstreamTransport,
  signer: RequestSigner = new RequestSigner(),
): ProviderTransports {
  return {
    of(provider) {
      const isSigned = provider.credential.kind !== 'api-key';
      if (provider.envelope === 'none' && !isSigned) return http;
      return {
        send(request, listener) {
          let wrapped: UpstreamRequest;
          try {
            wrapped = wrap(provider, request);
          } catch (error) {
            return createUnsentCall(listener, error);
          }
          if (!isSigned) return sendWrapped(http, provider, { request: wrapped, listener });
          return new SignedCall(http, listener).start(provider, signer.sign(provider, wrapped));
        },
        close: () => http.close(),
      };
    },
    close: () => http.close(),
  };
}

function wrap(provider: HttpProvider, request: UpstreamRequest): UpstreamRequest {
  switch (provider.envelope) {
    case 'none':
      return request;
    case 'bedrock':
      return wrapForBedrock(request);
    case 'vertex':
      return wrapForVertex(request);
  }
}

function sendWrapped(
  http: UpstreamTransport,
  provider: HttpProvider,
  { request, listener }: { request: UpstreamRequest; listener: UpstreamListener },
): UpstreamCall {
  if (provider.envelope === 'none') return http.send(request, listener);
  const call: UpstreamCall = http.send(request, new EnvelopeListener(listener, () => call.abort()));
  return call;
}

/** A call whose request cannot be put in the provider's envelope. `send` never calls a listener. */
function createUnsentCall(listener: UpstreamListener, error: unknown): UpstreamCall {
  const detail = error instanceof Error ? error.message : String(error);
  const timer = setTimeout(() => listener.onError({ kind: 'protocol', detail }), 0);
  const abort = () => clearTimeout(timer);
  return { connectMs: null, isSent: false, abort, pause: () => undefined, resume: () => undefined };
}

/** A call that is sent once it is signed. */
class SignedCall implements UpstreamCall {
  readonly #http: UpstreamTransport;
  readonly #listener: UpstreamListener;
  #call: UpstreamCall | null = null;
  #isAborted = false;
  #isPaused = false;

  constructor(http: UpstreamTransport, listener: UpstreamListener) {
    this.#http = http;
    this.#listener = listener;
  }

  get connectMs(): number | null {
    return this.#call?.connectMs ?? null;
  }

  get isSent(): boolean {
    return this.#call?.isSent === true;
  }

  start(provider: HttpProvider, signing: Promise<UpstreamRequest>): this {
    signing.then(
      (request) => this.#send(provider, request),
      (error: unknown) => this.#fail(error),
    );
    return this;
  }

  abort(): void {
    this.#isAborted = true;
    this.#call?.abort();
  }

  pause(): void {
    this.#isPaused = true;
    this.#call?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#call?.resume();
  }

  #send(provider: HttpProvider, request: UpstreamRequest): void {
    if (this.#isAborted) return;
    this.#call = sendWrapped(this.#http, provider, { request, listener: this.#listener });
    if (this.#isPaused) this.#call.pause();
  }

  /** Reports a refused credential as the provider's own refusal. */
  #fail(error: unknown): void {
    if (this.#isAborted) return;
    const detail = error instanceof Error ? error.message : String(error);
    if (!(error instanceof CredentialRefused)) {
      this.#listener.onError({ kind: 'connect', detail });
      return;
    }
    this.#listener.onStart(401, (name) => (name === 'content-type' ? 'application/json' : null));
    this.#listener.onData(Buffer.from(encodeEnvelopeError(401, JSON.stringify({ message: detail }))));
    this.#listener.onEnd();
  }
}
