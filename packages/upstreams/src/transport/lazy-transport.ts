import { DeferredCall } from './deferred-call.ts';
import { CLOSED_TRANSPORT, type RetirableTransport, type UpstreamFault } from './transport.ts';

/** A transport that is loaded with its first call: undici takes 23 MB, and most installations do not need it. */
export function createLazyTransport(load: () => Promise<RetirableTransport>): RetirableTransport {
  let loaded: RetirableTransport | null = null;
  let loading: Promise<RetirableTransport> | null = null;
  let isClosed = false;
  let isRetired = false;
  const get = async (): Promise<RetirableTransport | UpstreamFault> => {
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
  const retire = (): void => {
    isRetired = true;
    if (loaded === null) return;
    loaded.retire();
    loaded = null;
    loading = null;
  };
  return {
    send(request, listener) {
      if (loaded !== null) return loaded.send(request, listener);
      const call = new DeferredCall();
      const start = async (): Promise<void> => {
        const found = await get();
        if ('send' in found) call.start(() => found.send(request, listener));
        else if (!call.isAborted) listener.onError(found);
        if (isRetired) retire();
      };
      void start();
      return call;
    },
    retire,
    async close() {
      isClosed = true;
      await loading?.then(
        (transport) => transport.close(),
        () => undefined,
      );
    },
  };
}
