/** The only module of this package that acts by being imported. */
import '@tollgate/db/quick-imports';

// Imported late: what is imported above takes effect on this.
const { serve } = await import('./serve.ts');
try {
  await serve();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
