import { DeferredCall } from './deferred-call.ts';
import { CLOSED_TRANSPORT, type RetirableTransport, type UpstreamFailure } from './transport.ts';

/** A transport that is loaded with its first call: undici takes 23 MB, and most installations do not need it. */
export function createLazyTransport(load: () => Promise<RetirableTransport>): RetirableTransport {
  let loaded: RetirableTransport | null = null;
  let loading: Promise<RetirableTransport> | null = null;
  /** Retired ones whose calls may not have ended. */
  const retired = new Set<RetirableTransport>();
  let waitingCalls = 0;
  let isClosed = false;
  let isRetired = false;
  const get = async (): Promise<RetirableTransport | UpstreamFailure> => {
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
  const forgetIdle = (): void => {
    for (const transport of retired) if (transport.isIdle()) retired.delete(transport);
  };
  const retire = (): void => {
    isRetired = true;
    if (loaded === null) return;
    forgetIdle();
    retired.add(loaded);
    loaded.retire();
    loaded = null;
    loading = null;
  };
  return {
    send(request, listener) {
      if (loaded !== null) return loaded.send(request, listener);
      const call = new DeferredCall();
      waitingCalls += 1;
      const start = async (): Promise<void> => {
        const found = await get();
        waitingCalls -= 1;
        if ('send' in found) call.start(() => found.send(request, listener));
        else if (!call.isAborted) listener.onError(found);
        if (isRetired) retire();
      };
      void start();
      return call;
    },
    retire,
    isIdle() {
      forgetIdle();
      return waitingCalls === 0 && retired.size === 0 && (loaded === null || loaded.isIdle());
    },
    async close() {
      isClosed = true;
      const closing = [...retired].map((transport) => transport.close());
      await loading?.then(
        (transport) => transport.close(),
        () => undefined,
      );
      await Promise.all(closing);
    },
  };
}
