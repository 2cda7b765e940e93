/**
 * Adapts requests to providers: most get a request unchanged, others need an envelope or a signature made when it is sent.
 * Callers see only the provider's dialect.
 */
import { Buffer } from 'node:buffer';
import { ConnectionTransports, type OpenTransport } from './connection/connection-transports.ts';
import { EnvelopeListener } from './envelope/envelope-listener.ts';
import { wrapForBedrock } from './envelope/bedrock-request.ts';
import { encodeEnvelopeError } from './envelope/envelope-error.ts';
import { wrapForVertex } from './envelope/vertex-request.ts';
import type { HttpProvider } from './provider.ts';
import { CredentialRefused } from './signing/credential-refused.ts';
import { RequestSigner } from './signing/request-signer.ts';
import { DeferredCall } from './transport/deferred-call.ts';
import type {
  UpstreamCall,
  UpstreamListener,
  UpstreamRequest,
  UpstreamTransport,
} from './transport/transport.ts';

/** The transport of each provider. */
export interface ProviderTransports {
  /** The plain transport of a provider if it has neither envelope nor signature, without overhead. */
  of(provider: HttpProvider): UpstreamTransport;
  /** Closes connections that none of these providers has any more, once their calls have ended. */
  keepOnly(providers: readonly HttpProvider[]): void;
  close(): Promise<void>;
}

/**
 * @param http our own client, or `fetch`; it is closed with this
 * @param open opens the transport of a provider behind a proxy, with custom certificates, or over HTTP/2
 */
export function createProviderTransports(
  http: UpstreamTransport,
  { signer = new RequestSigner(), open }: { signer?: RequestSigner; open?: OpenTransport } = {},
): ProviderTransports {
  const connected = new ConnectionTransports(open);
  return {
    of(provider) {
      const connection = provider.connections.provider;
      const transport = connection === null ? http : connected.of(connection);
      const isSigned = provider.credential.kind !== 'api-key';
      if (provider.envelope === 'none' && !isSigned) return transport;
      return {
        send(request, listener) {
          let wrapped: UpstreamRequest;
          try {
            wrapped = wrap(provider, request);
          } catch (error) {
            return createUnsentCall(listener, error);
          }
          if (!isSigned) return sendWrapped(transport, provider, { request: wrapped, listener });
          const tokens = provider.connections.tokens;
          const signing = signer.sign(provider, wrapped, tokens === null ? null : connected.of(tokens));
          return sendSigned(transport, provider, { signing, listener });
        },
        close: () => transport.close(),
      };
    },
    keepOnly: (providers) =>
      connected.keepOnly(
        providers
          .flatMap(({ connections }) => [connections.provider, connections.tokens])
          .filter((connection) => connection !== null),
      ),
    close: async () => void (await Promise.all([http.close(), connected.close()])),
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

/** Sends a request once it is signed. */
function sendSigned(
  http: UpstreamTransport,
  provider: HttpProvider,
  { signing, listener }: { signing: Promise<UpstreamRequest>; listener: UpstreamListener },
): UpstreamCall {
  const call = new DeferredCall();
  signing.then(
    (request) => call.start(() => sendWrapped(http, provider, { request, listener })),
    (error: unknown) => {
      if (!call.isAborted) reportUnsigned(listener, error);
    },
  );
  return call;
}

/** Reports a refused credential as the provider's own refusal. */
function reportUnsigned(listener: UpstreamListener, error: unknown): void {
  const detail = error instanceof Error ? error.message : String(error);
  if (!(error instanceof CredentialRefused)) {
    listener.onError({ kind: 'connect', detail });
    return;
  }
  listener.onStart(401, (name) => (name === 'content-type' ? 'application/json' : null));
  listener.onData(Buffer.from(encodeEnvelopeError(401, JSON.stringify({ message: detail }))));
  listener.onEnd();
}
