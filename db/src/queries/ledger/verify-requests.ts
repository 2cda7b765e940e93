import { sql } from 'drizzle-orm';
import type { Connection } from '../../transaction.ts';
import { listViolations, type ViolationRow } from './verify-checks.ts';

/** Heartbeat interval: a replica died at most this long after its last heartbeat. */
const BEAT_SECONDS = 5;
const HOLD_MAY_OUTLIVE_SECONDS = 60;

/** What must hold for each single request. */
export async function findRequestViolations(tx: Connection): Promise<ViolationRow[]> {
  return listViolations(
    tx,
    sql`
    violations AS (
      SELECT 'request_once' AS check, id AS subject, '1 row' AS expected, count(*) || ' rows' AS actual
      FROM requests GROUP BY id HAVING count(*) > 1
      UNION ALL
      SELECT 'request_over_hold', id, 'at most ' || held_nano_usd, cost_nano_usd::text
      FROM requests WHERE cost_nano_usd > held_nano_usd AND (held_nano_usd > 0 OR charges_balance)
      UNION ALL
      SELECT 'hold_listed', coalesce(r.id, h.id), coalesce(r.state, 'not held'),
        CASE WHEN h.id IS NULL THEN 'not listed as held' ELSE 'listed as held' END
      FROM (SELECT id, started_at, state FROM requests WHERE state = 'held') AS r
      FULL JOIN held_requests h ON h.id = r.id AND h.started_at = r.started_at
      WHERE r.id IS NULL OR h.id IS NULL
      UNION ALL
      SELECT 'hold_lost', r.id, 'settled',
        CASE WHEN p.id IS NULL THEN 'held by ' || coalesce(r.replica_id, 'no replica') || ', which does not exist'
          ELSE 'held by ' || p.id || ', silent since ' || to_char(p.heartbeat_at AT TIME ZONE 'UTC', 'HH24:MI:SS"Z"') END
      FROM requests r LEFT JOIN replicas p ON p.id = r.replica_id
      WHERE r.state = 'held'
        AND greatest(r.started_at, p.heartbeat_at)
          < now() - make_interval(secs => ${BEAT_SECONDS + HOLD_MAY_OUTLIVE_SECONDS})
    )`,
  );
}
