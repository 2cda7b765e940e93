import { DeferredCall } from '../../transport/deferred-call.ts';
import type { UpstreamFailure, UpstreamTransport } from '../../transport/transport.ts';

const NO_PLACE: UpstreamFailure = { kind: 'busy', detail: 'the provider has reached its maximum of calls' };

/**
 * Sends a call when its place is granted. Without a place, the call fails as `busy`.
 * @param granted never rejects
 */
export function awaitPlace(
  transport: UpstreamTransport,
  granted: Promise<boolean>,
): Pick<UpstreamTransport, 'send'> {
  return {
    send(request, listener) {
      const call = new DeferredCall();
      const begin = (isGranted: boolean) => {
        if (isGranted) call.start(() => transport.send(request, listener));
        else if (!call.isAborted) listener.onError(NO_PLACE);
      };
      void granted.then(begin);
      return call;
    },
  };
}
