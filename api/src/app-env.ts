import type { Exchange } from './exchange.ts';
import type { CachedKey } from './keys/key-cache.ts';

/** Variables that the middleware sets for the routes. */
export interface AppEnv {
  Variables: {
    exchange: Exchange;
    /** Set only behind `api-key-auth`. */
    key: CachedKey;
  };
}
