import type { Exchange } from './exchange.ts';
import type { CachedKey } from './keys/key-cache.ts';

/** What the middleware leaves for the routes. */
export interface AppEnv {
  Variables: {
    exchange: Exchange;
    /** Behind `api-key-auth` alone. */
    key: CachedKey;
  };
}
