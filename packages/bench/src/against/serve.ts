/**
 * Runs in a process with the code of the other commit: prints how its api is started, then makes a database with models and
 * keys for each line of the standard input, and ends when that ends. Uses only modules that every commit since 5a0ec7e has.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [checkout = '', dir = ''] = process.argv.slice(2);

interface CreatedDatabase extends AsyncDisposable {
  name: string;
  url: string;
  encryptionKey: string;
  openKey: string;
  meteredKeys: readonly { secret: string }[];
}

interface Modules {
  'bench/src/subjects/database-server.ts': {
    startDatabaseServer: (dir: string) => Promise<AsyncDisposable>;
  };
  'bench/src/subjects/gateway-database.ts': {
    createBenchDatabase: (server: AsyncDisposable, options: object) => Promise<CreatedDatabase>;
  };
  'core/src/runtime/api-node-flags.ts': {
    apiNodeFlags: () => string[];
    API_ENVIRONMENT?: Record<string, string>;
  };
  'cli/src/start/build-api.ts': {
    buildApi: (options: { signal: AbortSignal; onBuild: () => void }) => Promise<string>;
  };
}

const getFile = (file: string) => path.join(checkout, 'packages', file);
const load = async <Name extends keyof Modules>(file: Name): Promise<Modules[Name]> =>
  (await import(pathToFileURL(getFile(file)).href)) as Modules[Name];

const FLAGS = 'core/src/runtime/api-node-flags.ts';
const starting = existsSync(getFile(FLAGS)) ? await load(FLAGS) : null;
const nodeFlags = starting?.apiNodeFlags() ?? [];
const environment = starting?.API_ENVIRONMENT ?? {};
const { startDatabaseServer } = await load('bench/src/subjects/database-server.ts');
const { createBenchDatabase } = await load('bench/src/subjects/gateway-database.ts');
const BUILD = 'cli/src/start/build-api.ts';
// A commit without a build starts its sources.
const mainFile = existsSync(getFile(BUILD))
  ? await (await load(BUILD)).buildApi({ signal: new AbortController().signal, onBuild: () => undefined })
  : path.join(checkout, 'api/src/main.ts');

await using resources = new AsyncDisposableStack();
const server = resources.use(await startDatabaseServer(dir));
console.log(JSON.stringify({ nodeFlags, environment, mainFile }));
for await (const line of createInterface({ input: process.stdin })) {
  const database = resources.use(await createBenchDatabase(server, JSON.parse(line) as object));
  const { name, url, encryptionKey, openKey, meteredKeys } = database;
  const meteredSecrets = meteredKeys.map(({ secret }) => secret);
  console.log(JSON.stringify({ name, url, encryptionKey, openKey, meteredSecrets }));
}
