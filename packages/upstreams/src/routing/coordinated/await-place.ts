import type {
  UpstreamCall,
  UpstreamFailure,
  UpstreamListener,
  UpstreamRequest,
  UpstreamTransport,
} from '../../transport/transport.ts';

const NO_PLACE: UpstreamFailure = { kind: 'busy', detail: 'the provider has reached its maximum of calls' };

/** Sends a call when its place is granted. Without a place, the call fails as `busy`. */
export function awaitPlace(
  transport: UpstreamTransport,
  granted: Promise<boolean>,
): Pick<UpstreamTransport, 'send'> {
  return {
    send(request, listener) {
      const call = new WaitingCall();
      void granted.then((isGranted) => call.start(isGranted, transport, request, listener));
      return call;
    },
  };
}

class WaitingCall implements UpstreamCall {
  #call: UpstreamCall | null = null;
  #isAborted = false;
  #isPaused = false;

  get connectMs(): number | null {
    return this.#call?.connectMs ?? null;
  }

  get isSent(): boolean {
    return this.#call?.isSent ?? false;
  }

  start(
    isGranted: boolean,
    transport: UpstreamTransport,
    request: UpstreamRequest,
    listener: UpstreamListener,
  ): void {
    if (this.#isAborted) return;
    if (!isGranted) return listener.onError(NO_PLACE);
    this.#call = transport.send(request, listener);
    if (this.#isPaused) this.#call.pause();
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
}
