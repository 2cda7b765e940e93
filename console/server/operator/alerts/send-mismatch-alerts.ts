import {
  claimMismatchAlerts,
  listOperatorEmails,
  type RouteMismatches,
} from '@tollgate/db/queries/contracts/price-mismatches';
import { listRoutes } from '@tollgate/db/queries/catalogue/routes';
import { inTransaction, type Connection } from '@tollgate/db/transaction';
import { queueMail } from '@tollgate/mail/queue-mail';
import type { Deps } from '../../deps.ts';
import { mismatchMail } from '../../mail/operator-templates.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A route without mismatches for this long is reported again when one occurs. */
const QUIET_MS = 7 * DAY_MS;
/** Routes that one email names at most. */
const NAMED_ROUTES = 20;

/** Notifies operators of routes with price mismatches: once per route, not per request. */
export async function sendMismatchAlerts(deps: Deps): Promise<void> {
  const now = new Date(deps.clock.nowMs());
  const since = new Date(now.getTime() - HOUR_MS);
  const count = await inTransaction(deps.db, async (tx) => {
    const claimed = await claimMismatchAlerts(tx, { since, now, quietMs: QUIET_MS });
    if (claimed.length === 0) return 0;
    const mail = mismatchMail({
      lines: await describeRoutes(tx, claimed.slice(0, NAMED_ROUTES)),
      more: Math.max(0, claimed.length - NAMED_ROUTES),
      link: `${deps.settings.publicConsoleUrl}/operator/models`,
    });
    for (const recipient of await listOperatorEmails(tx))
      await queueMail(tx, deps.sealer, { recipient, mail });
    return claimed.length;
  });
  if (count > 0) deps.onMailQueued();
}

async function describeRoutes(tx: Connection, claimed: readonly RouteMismatches[]) {
  const routes = new Map((await listRoutes(tx)).map((route) => [route.id, route]));
  return claimed.map(({ routeId, requests, example }) => {
    const route = routes.get(routeId);
    const name = route === undefined ? routeId : `${route.modelId} at ${route.providerName}`;
    return { name, requests, example };
  });
}
