import { DeferredCall } from './deferred-call.ts';
import { CLOSED_TRANSPORT, type UpstreamFault, type UpstreamTransport } from './transport.ts';

/** A transport that is loaded with its first call: undici takes 23 MB, and most installations do not need it. */
export function createLazyTransport(load: () => Promise<UpstreamTransport>): UpstreamTransport {
  let loaded: UpstreamTransport | null = null;
  let loading: Promise<UpstreamTransport> | null = null;
  let isClosed = false;
  const get = async (): Promise<UpstreamTransport | UpstreamFault> => {
    if (isClosed) return CLOSED_TRANSPORT;
    const attempt = (loading ??= load());
    try {
      loaded = await attempt;
      return isClosed ? CLOSED_TRANSPORT : loaded;
    } catch (error) {
      // The next call loads it again.
      if (loading === attempt) loading = null;
      return { kind: 'connect', detail: error instanceof Error ? error.message : String(error) };
    }
  };
  return {
    send(request, listener) {
      if (loaded !== null) return loaded.send(request, listener);
      const call = new DeferredCall();
      const start = async (): Promise<void> => {
        const found = await get();
        if ('send' in found) call.start(() => found.send(request, listener));
        else if (!call.isAborted) listener.onError(found);
      };
      void start();
      return call;
    },
    async close() {
      isClosed = true;
      await loading?.then(
        (transport) => transport.close(),
        () => undefined,
      );
    },
  };
}
