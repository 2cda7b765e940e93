/**
 * Runs in a process with the code of the other commit: starts its gateway on a separate database, prints its address, and ends
 * it when the standard input ends. Uses only modules that every commit since 5a0ec7e has.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [checkout = '', request = '{}'] = process.argv.slice(2);

interface Modules {
  database: { startDatabaseServer: (dir: string) => Promise<AsyncDisposable> };
  gatewayDatabase: {
    createBenchDatabase: (server: AsyncDisposable, options: object) => Promise<AsyncDisposable>;
  };
  gateway: {
    startGateway: (
      harness: object,
      database: AsyncDisposable,
      profileDir: undefined,
    ) => Promise<
      AsyncDisposable & {
        baseUrl: string;
        pid: number;
        headers: object;
        metered: { headers: object; keys: readonly string[] };
        findWorkers: () => Promise<readonly number[]>;
      }
    >;
  };
}

const load = async <Name extends keyof Modules>(file: string): Promise<Modules[Name]> =>
  (await import(
    pathToFileURL(path.join(checkout, 'packages/bench/src/subjects', file)).href
  )) as Modules[Name];

const { startDatabaseServer } = await load<'database'>('database-server.ts');
const { createBenchDatabase } = await load<'gatewayDatabase'>('gateway-database.ts');
const { startGateway } = await load<'gateway'>('gateway.ts');

const { harness, upstreams } = JSON.parse(request) as { harness: { dir: string }; upstreams: object };
await using server = await startDatabaseServer(harness.dir);
await using database = await createBenchDatabase(server, { name: 'against', upstreams, meteredKeys: 1 });
await using gateway = await startGateway(
  { ...harness, signal: new AbortController().signal },
  database,
  undefined,
);
const { baseUrl, pid, headers, metered } = gateway;
console.log(
  JSON.stringify({ baseUrl, pid, headers, meteredHeaders: metered.headers, meteredKeys: metered.keys }),
);
for await (const line of process.stdin.setEncoding('utf8'))
  if (String(line).includes('workers')) console.log(JSON.stringify(await gateway.findWorkers()));
