import { Client, type buildConnector, type Dispatcher } from 'undici';
import { ConnectionFailure, EARLY_BYTES } from './connection-failure.ts';
import type { Connector } from './create-connector.ts';
import type { ConnectionUse } from './connection-use.ts';
import { UndiciCall } from './undici-call.ts';

/** A client of undici that shows each call how its connection was used before. */
class CountingClient extends Client {
  readonly #use: ConnectionUse;

  constructor(origin: string | URL, options: Client.Options, use: ConnectionUse) {
    super(origin, options);
    this.#use = use;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (handler instanceof UndiciCall) handler.use = this.#use;
    return super.dispatch(options, handler);
  }
}

export function createCountingClient(
  origin: string | URL,
  options: Client.Options,
  connect: Connector,
): Client {
  const use: ConnectionUse = { isOpen: false, awaitedProxy: null, requests: 0, http1: null };
  const connectOnce: buildConnector.connector = (target, callback) => {
    // undici connects again, without limit, to a server that sends bytes before each request.
    if (use.isOpen && use.requests === 0) {
      use.isOpen = false;
      callback(new ConnectionFailure(EARLY_BYTES), null);
      return;
    }
    use.isOpen = false;
    const finish: buildConnector.Callback = (...result) => {
      use.awaitedProxy = null;
      if (result[0] === null) {
        use.isOpen = true;
        use.requests = 0;
        const [, socket] = result;
        use.http1 = 'alpnProtocol' in socket && socket.alpnProtocol === 'h2' ? null : socket;
      }
      callback(...result);
    };
    connect(target, finish, (proxy) => {
      use.awaitedProxy = proxy;
    });
  };
  return new CountingClient(origin, { ...options, connect: connectOnce }, use);
}
