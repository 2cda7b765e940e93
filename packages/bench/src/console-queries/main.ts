import { openDatabase } from '@tollgate/db/client';
import { migrate } from '@tollgate/db/migrate';
import { refreshKeyStandings } from '@tollgate/db/queries/keys/key-rankings';
import { rollUsage } from '@tollgate/db/queries/usage/rolls/roll-usage';
import { explainAll } from './explain.ts';
import { seedConsole } from './seed.ts';

const say = (line: string) => void process.stdout.write(`${line}\n`);

/**
 * `node packages/bench/src/console-queries/main.ts URL [REQUESTS KEYS]`: fills an empty database, or takes one that was
 * filled before, and shows how each list and each report of the console is answered, and how fast.
 */
const [url, requests, keys] = process.argv.slice(2);
if (url === undefined) throw new Error('Name the database: postgres://…');
await migrate(url);
let notices: string[] = [];
const plans = {
  take: () => {
    const taken = notices;
    notices = [];
    return taken;
  },
};
const onNotice = (message: string) => void notices.push(message);
const db = openDatabase(url, { maxConnections: 1, applicationName: 'tollgate-bench', onNotice });
try {
  if (requests !== undefined)
    await seedConsole(
      db,
      { requests: Number(requests), keys: Number(keys) },
      { signal: new AbortController().signal, onProgress: say },
    );
  // As the console's housekeeping does all the time.
  await rollUsage(db, Date.now());
  await refreshKeyStandings(db, 'all', Date.now());
  await db.sql.unsafe(
    'VACUUM (ANALYZE) usage_account_hourly, usage_key_daily, usage_late_hours, key_standings',
  );
  await explainAll(db, plans, say);
} finally {
  await db.close();
}
