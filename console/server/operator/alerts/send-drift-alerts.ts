import { listOperatorEmails } from '@tollgate/db/queries/contracts/price-mismatches';
import { claimDriftAlerts } from '@tollgate/db/queries/ledger/claim-drift-alerts';
import type { CostDrift } from '@tollgate/db/queries/ledger/cost-drift';
import { inTransaction } from '@tollgate/db/transaction';
import { queueMail } from '@tollgate/mail/queue-mail';
import type { Deps } from '../../deps.ts';
import { driftMail, type DriftLine } from '../../mail/operator-templates.ts';

const DAY_MS = 86_400_000;
/** Requests of this period are compared. */
const WINDOW_MS = DAY_MS;
/** A model and route that keeps drifting is reported again after this period. */
const EVERY_MS = 7 * DAY_MS;
/** Routes that one email names at most. */
const NAMED_ROUTES = 20;

/** Notifies operators of models and routes whose reported cost differs from the billed cost by more than 1 %. */
export async function sendDriftAlerts(deps: Deps): Promise<void> {
  const now = new Date(deps.clock.nowMs());
  const since = new Date(now.getTime() - WINDOW_MS);
  const count = await inTransaction(deps.db, async (tx) => {
    const claimed = await claimDriftAlerts(tx, { since, now, everyMs: EVERY_MS });
    if (claimed.length === 0) return 0;
    const mail = driftMail({
      lines: claimed.slice(0, NAMED_ROUTES).map(toLine),
      more: Math.max(0, claimed.length - NAMED_ROUTES),
      link: `${deps.settings.publicConsoleUrl}/operator/costs`,
    });
    for (const recipient of await listOperatorEmails(tx))
      await queueMail(tx, deps.sealer, { recipient, mail });
    return claimed.length;
  });
  if (count > 0) deps.onMailQueued();
}

function toLine(drift: CostDrift): DriftLine {
  const { model, provider, routeId, requests, reportedNanoUsd, computedNanoUsd, driftPpm } = drift;
  const place = provider ?? routeId;
  const name = `${model === '' ? 'Unknown model' : model}${place === null ? '' : ` at ${place}`}`;
  return { name, requests, reportedNanoUsd, billedNanoUsd: computedNanoUsd, driftPpm };
}
