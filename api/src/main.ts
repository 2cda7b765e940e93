/** The only module of this package with side effects on import. */
import '@tollgate/db/quick-imports';

// Imported late, so that the import above takes effect on it.
const { serve } = await import('./serve.ts');
try {
  await serve();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
