import { apiNodeFlags } from './packages/core/src/runtime/api-node-flags.ts';

/** Node's flags for the processes of the tests: those of the api, and faster imports of Drizzle. */
export const NODE_FLAGS = [...apiNodeFlags(), '--import', import.meta.resolve('./db/src/quick-imports.ts')];
