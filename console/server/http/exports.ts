import { Hono } from 'hono';
import type { Deps } from '../deps.ts';
import { createExportSlots } from '../exports/export-slots.ts';
import { accountTableRoutes } from './account-tables.ts';
import type { AppEnv } from './app-env.ts';
import { operatorTableRoutes } from './operator-tables.ts';

/** Of all tables together. */
const MAX_PER_PERSON = 2;

/** What members of an account, and operators, can take with them as files, each by the same filter as its page. */
export function exportRoutes(deps: Deps) {
  const slots = createExportSlots(MAX_PER_PERSON);
  return new Hono<AppEnv>()
    .route('/', accountTableRoutes(deps, slots))
    .route('/', operatorTableRoutes(deps, slots));
}
