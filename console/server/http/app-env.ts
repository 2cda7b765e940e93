import type { HttpBindings } from '@hono/node-server';
import type { Logger } from 'pino';

/** What Hono carries along with a request. */
export interface AppEnv {
  Bindings: Partial<HttpBindings>;
  Variables: { requestId: string; log: Logger };
}
