import { DeferredCall } from './deferred-call.ts';
import type { UpstreamTransport } from './transport.ts';

/** A transport that is loaded with its first call: undici takes 23 MB, and most installations do not need it. */
export function createLazyTransport(load: () => Promise<UpstreamTransport>): UpstreamTransport {
  let loaded: UpstreamTransport | null = null;
  let loading: Promise<UpstreamTransport> | null = null;
  let isClosed = false;
  const get = async (): Promise<UpstreamTransport> => {
    loading ??= load();
    loaded = await loading;
    if (isClosed) await loaded.close();
    return loaded;
  };
  return {
    send(request, listener) {
      if (loaded !== null) return loaded.send(request, listener);
      const call = new DeferredCall();
      get().then(
        (transport) => call.start(() => transport.send(request, listener)),
        (error: unknown) => {
          const detail = error instanceof Error ? error.message : String(error);
          if (!call.isAborted) listener.onError({ kind: 'connect', detail });
        },
      );
      return call;
    },
    async close() {
      isClosed = true;
      if (loading !== null) await (await loading).close();
    },
  };
}
