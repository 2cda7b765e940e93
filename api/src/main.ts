/** The only module of this package with side effects on import. */
import '@tollgate/db/quick-imports';
import { enableCompileCache } from 'node:module';
import path from 'node:path';

// Halves the processor time of the next start. Without the right to write there, Node goes on without a cache.
enableCompileCache(path.resolve(import.meta.dirname, '../../node_modules/.cache/tollgate'));

// Imported late, so that the import above takes effect on it.
const { start } = await import('./start.ts');
try {
  await start();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
